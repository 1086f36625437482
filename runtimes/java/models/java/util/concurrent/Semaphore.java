package java.util.concurrent;

/** As the JDK's, with a monitor. Who gets a permit next is a choice of the schedule, also where it is fair. */
public class Semaphore implements java.io.Serializable {
    private int permits;

    public Semaphore(int permits) {
        this.permits = permits;
    }

    public Semaphore(int permits, boolean fair) {
        this.permits = permits;
    }

    public void acquire() throws InterruptedException {
        take(1);
    }

    public void acquireUninterruptibly() {
        try {
            take(1);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public void acquire(int count) throws InterruptedException {
        take(count);
    }

    private void take(int count) throws InterruptedException {
        if (count < 0) throw new IllegalArgumentException();
        synchronized (this) {
            while (permits < count) wait();
            permits -= count;
        }
    }

    public boolean tryAcquire() {
        return tryAcquire(1);
    }

    public boolean tryAcquire(int count) {
        synchronized (this) {
            if (permits < count) return false;
            permits -= count;
            return true;
        }
    }

    /** Waiting for a time and then giving up is trying later. */
    public boolean tryAcquire(long time, TimeUnit unit) throws InterruptedException {
        return tryAcquire(1);
    }

    public void release() {
        release(1);
    }

    public void release(int count) {
        if (count < 0) throw new IllegalArgumentException();
        synchronized (this) {
            permits += count;
            notifyAll();
        }
    }

    public int availablePermits() {
        synchronized (this) {
            return permits;
        }
    }
}
