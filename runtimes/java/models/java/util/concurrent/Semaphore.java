package java.util.concurrent;

import java.util.concurrent.locks.XcuteLine;

/** As the JDK's. Threads stand in a queue where that makes a difference. */
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

        /** How many there are, at this moment. */
        int counted() {
            XcuteLocks.quiet();
            int now = left;
            XcuteThreads.plain();
            return now;
        }

        /** After an operation that was announced. */
        void change(int by) {
            XcuteLocks.quiet();
            left += by;
            XcuteLocks.permits(this, left);
            XcuteThreads.plain();
        }

        void takeOne() {
            XcuteLocks.acquire(this, 0, counted());
            change(-1);
        }

        boolean tryToTake(int wanted) {
            XcuteLocks.trying(this, this, 0, counted());
            boolean got = counted() - wanted >= 0;
            if (got) change(-wanted);
            XcuteLocks.tried(this, got, wanted == 1);
            return got;
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
        if (XcuteLocks.inLine()) permits.acquire(1, false, true);
        else permits.takeOne();
    }

    public void acquireUninterruptibly() {
        if (XcuteLocks.inLine()) permits.acquire(1);
        else permits.takeOne();
    }

    public boolean tryAcquire() {
        return tryAcquire(1);
    }

    public boolean tryAcquire(long time, TimeUnit unit) throws InterruptedException {
        // Waiting for a time and then giving up is trying later.
        return XcuteLocks.inLine() ? permits.acquire(1, true, unit.toNanos(time) > 0) != 0 : permits.tryToTake(1);
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
        if (!XcuteLocks.inLine()) return permits.tryToTake(count);
        synchronized (permits) {
            return permits.take(count) != 0;
        }
    }

    public boolean tryAcquire(int count, long time, TimeUnit unit) throws InterruptedException {
        return permits.acquire(counted(count), true, unit.toNanos(time) > 0) != 0;
    }

    public void release(int count) {
        counted(count);
        if (!XcuteLocks.inLine()) {
            XcuteLocks.release(permits, 0, permits.counted());
            int left = permits.counted();
            if (left + count < left) throw new Error("Maximum permit count exceeded");
            permits.change(count);
            return;
        }
        synchronized (permits) {
            if (permits.left + count < permits.left) throw new Error("Maximum permit count exceeded");
            permits.left += count;
            permits.given();
        }
    }

    public int availablePermits() {
        if (!XcuteLocks.inLine()) {
            XcuteLocks.trying(permits, null, 0, permits.counted());
            return permits.counted();
        }
        synchronized (permits) {
            return permits.left;
        }
    }

    public int drainPermits() {
        if (!XcuteLocks.inLine()) {
            XcuteLocks.trying(permits, null, 0, permits.counted());
            int left = permits.counted();
            if (left != 0) permits.change(-left);
            XcuteThreads.hidden();
            return left;
        }
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
