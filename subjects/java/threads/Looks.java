// At most K looks at a flag: K + 1 executions.
//@ method: two
//@ paths: 3
//@ complete: yes
//@ method: three
//@ paths: 4
//@ complete: yes
class Looks {
    static int flag;

    static void run(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) threads[i] = new Thread(all[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static void look(int most) throws InterruptedException {
        run(
                () -> {
                    for (int i = 0; i < most && flag != 1; i++) Thread.yield();
                },
                () -> flag = 1); //! data-race
    }

    static void two() throws InterruptedException {
        look(2);
    }

    static void three() throws InterruptedException {
        look(3);
    }
}
