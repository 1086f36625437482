// The flag is looked at without the lock: the notification may come before anybody waits.
//@ method: main
//@ paths: 3
class LostWakeup {
    static int flag;
    static final Object lock = new Object();

    static void waits() {
        try {
            if (flag == 0) {
                synchronized (lock) {
                    lock.wait(); //! lost-wakeup
                }
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static void wakes() {
        flag = 1; //! data-race
        synchronized (lock) {
            lock.notify();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread a = new Thread(LostWakeup::waits), b = new Thread(LostWakeup::wakes);
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
