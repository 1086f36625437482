// Locks serve those that wait in the order in which they came: a reader waits for a writer that waits for a reader, a small wish for a large one.
//@ method: readers
//@ complete: yes
//@ method: again
//@ complete: yes
//@ method: permits
//@ paths: 67
//@ unconfirmed: some
//@ method: own
//@ complete: yes
//@ method: conditions
//@ complete: yes
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

class Lines {
    static int count;

    static Thread start(Runnable body) {
        Thread thread = new Thread(body);
        thread.start();
        return thread;
    }

    static void readers() throws InterruptedException {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        CountDownLatch read = new CountDownLatch(1);
        lock.readLock().lock();
        start(() -> {
            lock.writeLock().lock(); //! deadlock if readers
            lock.writeLock().unlock();
        });
        start(() -> {
            lock.readLock().lock();
            lock.readLock().unlock();
            read.countDown();
        });
        read.await();
        lock.readLock().unlock();
    }

    /** Who reads already may read once more. */
    static void again() throws InterruptedException {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        lock.readLock().lock();
        Thread writer = start(() -> {
            lock.writeLock().lock();
            lock.writeLock().unlock();
        });
        lock.readLock().lock();
        lock.readLock().unlock();
        lock.readLock().unlock();
        writer.join();
    }

    static void permits() throws InterruptedException {
        Semaphore permits = new Semaphore(0);
        Thread small = start(permits::acquireUninterruptibly);
        start(() -> permits.acquireUninterruptibly(2)); //! deadlock if permits
        permits.release();
        small.join();
        permits.release(2);
    }

    /** A lock is not the monitor of its object. */
    static void own() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        Thread other = start(() -> {
            synchronized (lock) {
                count++; //! data-race if own
            }
        });
        lock.lock();
        count++;
        lock.unlock();
        other.join();
    }

    static void conditions() throws InterruptedException {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        Condition changed = lock.writeLock().newCondition();
        count = 0;
        Thread other = start(() -> {
            lock.writeLock().lock();
            count = 1;
            changed.signal();
            lock.writeLock().unlock();
        });
        lock.writeLock().lock();
        while (count == 0) changed.await();
        assert lock.isWriteLockedByCurrentThread();
        lock.writeLock().unlock();
        other.join();
    }
}
