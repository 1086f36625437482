package java.util.concurrent.locks;

import java.util.concurrent.TimeUnit;

/** As the JDK's: a monitor of the runtime, with conditions beside it. Who gets it next is a choice of the schedule, also where it is fair. */
public class ReentrantLock implements Lock, java.io.Serializable {
    public ReentrantLock() {}

    public ReentrantLock(boolean fair) {}

    @Override
    public void lock() {
        XcuteThreads.enter(this, 0);
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        XcuteThreads.enterInterruptibly(this);
    }

    @Override
    public boolean tryLock() {
        return XcuteThreads.tryEnter(this);
    }

    /** Waiting for a time and then giving up is trying later. */
    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return XcuteThreads.tryEnter(this);
    }

    @Override
    public void unlock() {
        XcuteThreads.exit(this, 0);
    }

    @Override
    public Condition newCondition() {
        return new Awaited(this);
    }

    public int getHoldCount() {
        return XcuteThreads.depth(this);
    }

    public boolean hasWaiters(Condition condition) {
        throw XcuteThreads.unsupported("ReentrantLock.hasWaiters");
    }

    public boolean isHeldByCurrentThread() {
        return XcuteThreads.holdsLock(this, 0);
    }

    private static final class Awaited implements Condition {
        private final ReentrantLock lock;

        Awaited(ReentrantLock lock) {
            this.lock = lock;
        }

        @Override
        public void await() throws InterruptedException {
            XcuteThreads.await(this, lock, false);
        }

        @Override
        public void awaitUninterruptibly() {
            XcuteThreads.awaitUninterruptibly(this, lock);
        }

        /** How long it took is not known: as if no time were left. */
        @Override
        public long awaitNanos(long nanoseconds) throws InterruptedException {
            return XcuteThreads.await(this, lock, true) ? 1 : 0;
        }

        @Override
        public boolean await(long time, TimeUnit unit) throws InterruptedException {
            return XcuteThreads.await(this, lock, true);
        }

        @Override
        public boolean awaitUntil(java.util.Date deadline) throws InterruptedException {
            return XcuteThreads.await(this, lock, true);
        }

        @Override
        public void signal() {
            XcuteThreads.wake(this, lock, false);
        }

        @Override
        public void signalAll() {
            XcuteThreads.wake(this, lock, true);
        }
    }
}
