// A thread that waits is interrupted, or notified, or both. One that was interrupted may get its monitor when another has come in between: that cannot be held
// on the original classes.
//@ method: main
//@ paths: 40
//@ unconfirmed: some
class Interrupts {
    static final Object lock = new Object();
    static boolean notified, thrown, pending;

    static void waits() {
        synchronized (lock) {
            try {
                while (!notified) lock.wait();
                pending = Thread.currentThread().isInterrupted();
            } catch (InterruptedException e) {
                thrown = true;
                assert !Thread.interrupted();
                assert !notified; //! assertion
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread a = new Thread(Interrupts::waits);
        a.start();
        Thread b = new Thread(() -> {
            synchronized (lock) {
                notified = true;
                lock.notify();
            }
        });
        b.start();
        a.interrupt();
        b.join();
        a.join();
        assert thrown || pending || a.isInterrupted();
    }
}
