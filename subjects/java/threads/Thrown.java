// An exception ends its thread, and releases its lock; both threads fail, and both failures are reported.
//@ method: main
class Thrown {
    static final Object lock = new Object();

    static synchronized void first() {
        synchronized (lock) {
            throw new IllegalStateException("first"); //! uncaught-exception
        }
    }

    static synchronized void second() {
        synchronized (lock) {
            throw new IllegalStateException("second"); //! uncaught-exception
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread a = new Thread(Thrown::first), b = new Thread(Thrown::second);
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
