// The store buffer: both reading 0 is not seen, since xcute knows sequentially consistent memory only. With volatile fields there is nothing else.
//@ method: volatiles
//@ paths: 3
//@ complete: yes
//@ method: plain
//@ paths: 3
//@ complete: yes
class StoreBuffer {
    static volatile int a, b;
    static int c, d;
    static int x, y;

    static void run(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) threads[i] = new Thread(all[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        assert x + y > 0;
    }

    static void volatiles() throws InterruptedException {
        run(
                () -> {
                    a = 1;
                    x = b;
                },
                () -> {
                    b = 1;
                    y = a;
                });
    }

    static void plain() throws InterruptedException {
        run(
                () -> {
                    c = 1;
                    x = d;
                },
                () -> {
                    d = 1; //! data-race if plain
                    y = c; //! data-race if plain
                });
    }
}
