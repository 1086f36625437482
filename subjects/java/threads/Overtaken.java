// Locks with a line: a reader waits for something while another one waits after a writer, a lock goes from writing to reading, and one is never given back. Where
// it makes no difference where threads stand, a lock has no line.
//@ method: nested
//@ complete: yes
//@ method: down
//@ complete: yes
//@ method: kept
//@ complete: yes
//@ unconfirmed: some
//@ method: tries
//@ paths: 4
//@ complete: yes
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantReadWriteLock;

class Overtaken {
    static int x;

    static Thread start(Runnable body) {
        Thread thread = new Thread(body);
        thread.start();
        return thread;
    }

    static void read(ReentrantReadWriteLock lock) {
        lock.readLock().lock(); //! deadlock if nested|kept
        lock.readLock().unlock();
    }

    static void write(ReentrantReadWriteLock lock) {
        lock.writeLock().lock();
        x++;
        lock.writeLock().unlock();
    }

    /** The reader that has the lock waits for one that waits behind the writer. */
    static void nested() throws InterruptedException {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        lock.readLock().lock();
        start(() -> write(lock));
        start(() -> read(lock)).join();
        lock.readLock().unlock();
    }

    /** Between writing and reading nobody else writes. */
    static void down() throws InterruptedException {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        x = 0;
        Thread other = start(() -> write(lock));
        lock.writeLock().lock();
        x = 7;
        lock.readLock().lock();
        lock.writeLock().unlock();
        assert x == 7;
        lock.readLock().unlock();
        other.join();
    }

    /** One that reads ends with its lock. */
    static void kept() throws InterruptedException {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        start(() -> lock.readLock().lock()).join();
        start(() -> {
            if (lock.writeLock().tryLock()) throw new AssertionError();
        });
        start(() -> lock.writeLock().lock()); //! deadlock if kept
        read(lock);
    }

    static void tries() throws InterruptedException {
        Semaphore permits = new Semaphore(1);
        Runnable body = () -> {
            if (permits.tryAcquire()) permits.release();
        };
        Thread a = start(body), b = start(body);
        a.join();
        b.join();
        assert permits.availablePermits() == 1;
    }
}
