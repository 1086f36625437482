// Readers share, writers do not.
//@ method: main
//@ complete: yes
import java.util.concurrent.locks.ReentrantReadWriteLock;

class ReadersWriters {
    static final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    static int x, y;

    static void read() {
        lock.readLock().lock();
        assert x == y;
        lock.readLock().unlock();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread a = new Thread(ReadersWriters::read), b = new Thread(() -> {
            lock.writeLock().lock();
            x++;
            y++;
            lock.writeLock().unlock();
        });
        a.start();
        b.start();
        read();
        a.join();
        b.join();
        assert x == 1;
    }
}
