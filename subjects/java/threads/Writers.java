// N writers: every order counts, N! of them.
//@ method: two
//@ paths: 2
//@ complete: yes
//@ method: three
//@ paths: 6
//@ complete: yes
//@ method: four
//@ paths: 24
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
        x = 1; //! data-race
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
}
