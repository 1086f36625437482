// Readers and writers by counting, after Doug Lea's framework and the case study of Java PathFinder (RWVSN in Table VII of the paper), with the seeded
// bug: a reader that has waited does not look again whether somebody writes. Which of those that were notified goes on first cannot be held.
//@ method: main
//@ paths: 90
//@ unconfirmed: some
class ReadWriteFramework {
    static int readers, writers;
    static int x, y;
    static final Object lock = new Object();

    static void read() {
        try {
            synchronized (lock) {
                if (writers > 0) lock.wait();
                readers++;
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assert x == y; //! assertion, data-race
        synchronized (lock) {
            readers--;
            lock.notifyAll();
        }
    }

    static void write() {
        try {
            synchronized (lock) {
                while (readers > 0 || writers > 0) lock.wait();
                writers++;
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        x++;
        y++;
        synchronized (lock) {
            writers--;
            lock.notifyAll();
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] all = {new Thread(ReadWriteFramework::write), new Thread(ReadWriteFramework::write), new Thread(ReadWriteFramework::read)};
        for (Thread thread : all) thread.start();
        for (Thread thread : all) thread.join();
    }
}
