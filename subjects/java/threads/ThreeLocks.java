// Three threads, three locks, and two ways to block each other.
//@ method: main
//@ paths: 8
class ThreeLocks {
    static final Object m = new Object(), n = new Object(), o = new Object();

    static void run(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) threads[i] = new Thread(all[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static void nest(Object a, Object b) {
        synchronized (a) {
            synchronized (b) { //! deadlock
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        run(() -> nest(m, n), () -> nest(o, m), () -> nest(n, m));
    }
}
