// A race that another order makes impossible; and an error that takes two flips, which the paper's third algorithm as it is printed misses.
//@ method: lost
//@ paths: 3
//@ complete: yes
//@ method: postponed
//@ paths: 3
class LostRace {
    static int x, y;

    static void run(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) threads[i] = new Thread(all[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static void lost() throws InterruptedException {
        run(
                () -> x = 1,
                () -> {
                    if (y == 0) x = 2; //! data-race if lost
                },
                () -> y = 1); //! data-race if lost
    }

    static void postponed() throws InterruptedException {
        run(
                () -> {
                    if (x == 1) y = 1;
                },
                () -> {
                    if (y == 1) //! data-race if postponed
                        throw new IllegalStateException(); //! uncaught-exception if postponed
                },
                () -> x = 1); //! data-race if postponed
    }
}
