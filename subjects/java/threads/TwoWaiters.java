// Which of two waiters is woken is a choice: ten executions, in all of which somebody waits for ever.
//@ method: main
//@ paths: 10
class TwoWaiters {
    static final Object lock = new Object();

    static void waits() {
        synchronized (lock) {
            try {
                lock.wait(); //! lost-wakeup
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread a = new Thread(TwoWaiters::waits), b = new Thread(TwoWaiters::waits);
        Thread c = new Thread(() -> {
            synchronized (lock) {
                lock.notify();
            }
        });
        a.start();
        b.start();
        c.start();
        a.join();
        b.join();
        c.join();
    }
}
