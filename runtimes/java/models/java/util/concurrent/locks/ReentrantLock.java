package java.util.concurrent.locks;

import java.util.concurrent.TimeUnit;

/** As the JDK's: a monitor of the runtime, with conditions beside it. Who gets it next is a choice of the schedule, unless it is fair. */
public class ReentrantLock implements Lock, java.io.Serializable {
    /** Programs may synchronize on this object themselves. */
    private final Object monitor = new Object();

    /** One that is fair has a queue; the other one is a monitor of the runtime. */
    private final ReentrantReadWriteLock.WriteLock fair;

    public ReentrantLock() {
        fair = null;
    }

    public ReentrantLock(boolean fair) {
        this.fair = fair ? new ReentrantReadWriteLock(true).writeLock() : null;
    }

    public final boolean isFair() {
        return fair != null;
    }

    @Override
    public void lock() {
        if (fair != null) fair.lock();
        else XcuteThreads.enter(monitor, 0);
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        if (fair != null) fair.lockInterruptibly();
        else XcuteThreads.enterInterruptibly(monitor);
    }

    @Override
    public boolean tryLock() {
        return fair != null ? fair.tryLock() : XcuteThreads.tryEnter(monitor);
    }

    /** Waiting for a time and then giving up is trying later. */
    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        if (fair != null) return fair.tryLock(time, unit);
        XcuteThreads.checkInterrupt();
        return XcuteThreads.tryEnter(monitor);
    }

    @Override
    public void unlock() {
        if (fair != null) fair.unlock();
        else XcuteThreads.exit(monitor, 0);
    }

    @Override
    public Condition newCondition() {
        return fair != null ? fair.newCondition() : new Awaited(this);
    }

    public int getHoldCount() {
        return fair != null ? fair.getHoldCount() : XcuteThreads.depth(monitor);
    }

    public boolean hasWaiters(Condition condition) {
        throw XcuteThreads.unsupported("ReentrantLock.hasWaiters");
    }

    public boolean isLocked() {
        return fair != null ? fair.isLocked() : XcuteLocks.look(monitor, XcuteLocks.MONITOR) != 0;
    }

    public boolean isHeldByCurrentThread() {
        return fair != null ? fair.isHeldByCurrentThread() : XcuteThreads.holdsLock(monitor, 0);
    }

    private static final class Awaited implements Condition {
        private final ReentrantLock lock;

        Awaited(ReentrantLock lock) {
            this.lock = lock;
        }

        @Override
        public void await() throws InterruptedException {
            XcuteThreads.await(this, lock.monitor, false);
        }

        @Override
        public void awaitUninterruptibly() {
            XcuteThreads.awaitUninterruptibly(this, lock.monitor);
        }

        /** How long it took is not known: as if no time were left. */
        @Override
        public long awaitNanos(long nanoseconds) throws InterruptedException {
            XcuteThreads.coarseForProgram("java.util.concurrent.locks.Condition.awaitNanos: how much time is left is not known");
            return XcuteThreads.await(this, lock.monitor, true) ? 1 : 0;
        }

        @Override
        public boolean await(long time, TimeUnit unit) throws InterruptedException {
            return XcuteThreads.await(this, lock.monitor, true);
        }

        @Override
        public boolean awaitUntil(java.util.Date deadline) throws InterruptedException {
            return XcuteThreads.await(this, lock.monitor, true);
        }

        @Override
        public void signal() {
            XcuteThreads.wake(this, lock.monitor, false);
        }

        @Override
        public void signalAll() {
            XcuteThreads.wake(this, lock.monitor, true);
        }
    }
}
