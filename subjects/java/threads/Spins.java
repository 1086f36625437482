// A loop that only waits does not turn: it looks, and looks again after somebody wrote. Where the value comes and goes, it may wait for ever.
//@ method: two
//@ paths: 2
//@ complete: yes
//@ method: three
//@ paths: 38
//@ complete: yes
//@ method: message
//@ paths: 2
//@ complete: yes
class Spins {
    static volatile int flag;
    static int data;

    static void run(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) threads[i] = new Thread(all[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static void waits() {
        while (flag != 1) {} //! livelock if three
    }

    static void two() throws InterruptedException {
        run(Spins::waits, () -> flag = 1);
    }

    static void three() throws InterruptedException {
        run(() -> flag = 1, () -> flag = 0, () -> flag = 2, Spins::waits);
    }

    static void message() throws InterruptedException {
        run(
                () -> {
                    data = 1;
                    flag = 1;
                },
                () -> {
                    waits();
                    int d = data;
                });
    }
}
