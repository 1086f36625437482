// Inputs and schedules that depend on each other: 8 of 12 interleavings differ, two of them fail.
//@ method: f
//@ paths: 8
class Interaction {
    static int x, y;

    static void run(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) threads[i] = new Thread(all[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static void f(int a, int b) throws InterruptedException {
        run(
                () -> {
                    int v = x;
                    if (v == a + 1) y = b;
                },
                () -> {
                    x = 5; //! data-race
                    int u = y; //! data-race
                    if (u == 7) throw new IllegalStateException(); //! uncaught-exception
                });
    }
}
