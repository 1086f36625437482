// A thread that starts another one between two writes; and one that is joined before the read.
//@ method: forks
//@ paths: 8
//@ complete: yes
//@ method: joins
//@ paths: 3
//@ complete: yes
class ForksJoins {
    static int x;

    static void run(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) threads[i] = new Thread(all[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static void two() {
        x = 2; //! data-race if forks
    }

    static void three() {
        x = 3; //! data-race if joins
    }

    static void parent() {
        x = 1;
        new Thread(ForksJoins::two).start();
        x = 3;
    }

    static void forks() throws InterruptedException {
        run(ForksJoins::parent, () -> {
            int v = x; //! data-race if forks
        });
    }

    static void joins() throws InterruptedException {
        Thread c = new Thread(ForksJoins::two), d = new Thread(ForksJoins::three);
        c.start();
        d.start();
        c.join();
        int v = x;
        d.join();
    }
}
