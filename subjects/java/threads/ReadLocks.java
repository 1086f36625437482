// Two readers and a writer of the JDK's readers-writer lock. Those that wait stand in a line, and a reader does not pass a writer that waits first. That makes a
// difference only where somebody waits for something while it reads (see Lines): here each reader is before or after the writer, as in C.
//@ method: main
//@ paths: 4
//@ complete: yes
import java.util.concurrent.locks.ReentrantReadWriteLock;

class ReadLocks {
    static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    static int x;

    static void read() {
        lock.readLock().lock();
        int v = x;
        lock.readLock().unlock();
    }

    static void write() {
        lock.writeLock().lock();
        x = 1;
        lock.writeLock().unlock();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] threads = {new Thread(ReadLocks::read), new Thread(ReadLocks::read), new Thread(ReadLocks::write)};
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        assert x == 1;
    }
}
