// N writers: every order counts, N! of them, also where each has the lock.
//@ method: two
//@ paths: 2
//@ complete: yes
//@ method: three
//@ paths: 6
//@ complete: yes
//@ method: four
//@ paths: 24
//@ complete: yes
//@ method: locked
//@ paths: 2
//@ complete: yes
class Writers {
    static int x;

    static void run(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) threads[i] = new Thread(all[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static void write() {
        x = 1; //! data-race if two|three|four
    }

    static synchronized void guarded() {
        x = 1;
    }

    static void two() throws InterruptedException {
        run(Writers::write, Writers::write);
    }

    static void three() throws InterruptedException {
        run(Writers::write, Writers::write, Writers::write);
    }

    static void four() throws InterruptedException {
        run(Writers::write, Writers::write, Writers::write, Writers::write);
    }

    static void locked() throws InterruptedException {
        run(Writers::guarded, Writers::guarded);
    }
}
