package java.util.concurrent;

import java.util.concurrent.locks.XcuteLine;

/** As the JDK's, with its queue. */
public class Semaphore implements java.io.Serializable {
    private static final class Permits extends XcuteLine {
        private final boolean fair;
        int left;

        Permits(int permits, boolean fair) {
            left = permits;
            this.fair = fair;
        }

        @Override
        protected long take(int wanted) {
            if (left - wanted < 0) return 0;
            left -= wanted;
            return 1;
        }

        @Override
        protected boolean mayPass(int wanted) {
            return !fair || isEmpty();
        }
    }

    private final Permits permits;

    public Semaphore(int permits) {
        this(permits, false);
    }

    public Semaphore(int permits, boolean fair) {
        this.permits = new Permits(permits, fair);
    }

    public void acquire() throws InterruptedException {
        permits.acquire(1, false, true);
    }

    public void acquireUninterruptibly() {
        permits.acquire(1);
    }

    public boolean tryAcquire() {
        return tryAcquire(1);
    }

    public boolean tryAcquire(long time, TimeUnit unit) throws InterruptedException {
        return permits.acquire(1, true, unit.toNanos(time) > 0) != 0;
    }

    public void release() {
        release(1);
    }

    private static int counted(int count) {
        if (count < 0) throw new IllegalArgumentException();
        return count;
    }

    public void acquire(int count) throws InterruptedException {
        permits.acquire(counted(count), false, true);
    }

    public void acquireUninterruptibly(int count) {
        permits.acquire(counted(count));
    }

    public boolean tryAcquire(int count) {
        counted(count);
        synchronized (permits) {
            return permits.take(count) != 0;
        }
    }

    public boolean tryAcquire(int count, long time, TimeUnit unit) throws InterruptedException {
        return permits.acquire(counted(count), true, unit.toNanos(time) > 0) != 0;
    }

    public void release(int count) {
        counted(count);
        synchronized (permits) {
            if (permits.left + count < permits.left) throw new Error("Maximum permit count exceeded");
            permits.left += count;
            permits.given();
        }
    }

    public int availablePermits() {
        synchronized (permits) {
            return permits.left;
        }
    }

    public int drainPermits() {
        synchronized (permits) {
            int left = permits.left;
            permits.left = 0;
            if (left < 0) permits.given();
            return left;
        }
    }

    protected void reducePermits(int by) {
        counted(by);
        synchronized (permits) {
            if (permits.left - by > permits.left) throw new Error("Permit count underflow");
            permits.left -= by;
        }
    }

    public boolean isFair() {
        return permits.fair;
    }

    public final boolean hasQueuedThreads() {
        synchronized (permits) {
            return !permits.isEmpty();
        }
    }
}
