// A nested monitor: a thread that waits for the inner one keeps the outer one.
//@ method: main
//@ paths: 2
class NestedMonitor {
    static final Object outer = new Object(), inner = new Object();
    static boolean full;

    static void get() {
        synchronized (outer) {
            synchronized (inner) {
                try {
                    if (!full) inner.wait(); //! deadlock
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }

    static void put() {
        synchronized (outer) {
            synchronized (inner) {
                full = true;
                inner.notify();
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread a = new Thread(NestedMonitor::get), b = new Thread(NestedMonitor::put);
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
