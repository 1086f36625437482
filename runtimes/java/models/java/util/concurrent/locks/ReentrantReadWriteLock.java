package java.util.concurrent.locks;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** As the JDK's, with its queue: one that comes to read does not pass a writer that waits first, unless it reads already. */
public class ReentrantReadWriteLock implements ReadWriteLock, java.io.Serializable {
    private static final int READ = 0;

    /** Who reads, how often, and who writes. What is wanted is {@link #READ}, or how often to write. */
    private static final class Holders extends XcuteLine {
        private final boolean fair;
        Thread[] readers = new Thread[4];
        int[] times = new int[4];
        Thread owner;
        int depth;
        int holds;

        Holders(boolean fair) {
            this.fair = fair;
        }

        int held(Thread thread) {
            for (int i = 0; i < readers.length; i++) {
                if (readers[i] == thread) return times[i];
            }
            return 0;
        }

        void hold(Thread thread, int by) {
            int at = -1;
            for (int i = 0; i < readers.length; i++) {
                if (readers[i] == thread) {
                    at = i;
                    break;
                }
                if (readers[i] == null && at < 0) at = i;
            }
            if (at < 0) {
                at = readers.length;
                readers = Arrays.copyOf(readers, 2 * at);
                times = Arrays.copyOf(times, 2 * at);
            }
            times[at] += by;
            readers[at] = times[at] == 0 ? null : thread;
            holds += by;
        }

        @Override
        protected long take(int wanted) {
            Thread self = Thread.currentThread();
            if (wanted == READ) {
                if (owner != null && owner != self) return 0;
                hold(self, 1);
                return 1;
            }
            if (owner == self) {
                depth += wanted;
                return 1;
            }
            if (owner != null || holds > 0) return 0;
            owner = self;
            depth = wanted;
            return 1;
        }

        @Override
        protected boolean mayPass(int wanted) {
            Thread self = Thread.currentThread();
            if (isEmpty() || owner == self) return true;
            if (wanted == READ) return held(self) > 0 || !fair && firstWants() == READ;
            return !fair;
        }
    }

    private final Holders holders;
    private final ReadLock reader;
    private final WriteLock writer;

    public ReentrantReadWriteLock() {
        this(false);
    }

    public ReentrantReadWriteLock(boolean fair) {
        holders = new Holders(fair);
        reader = new ReadLock(this);
        writer = new WriteLock(this);
    }

    @Override
    public WriteLock writeLock() {
        return writer;
    }

    @Override
    public ReadLock readLock() {
        return reader;
    }

    public final boolean isFair() {
        return holders.fair;
    }

    public boolean isWriteLocked() {
        synchronized (holders) {
            return holders.owner != null;
        }
    }

    public boolean isWriteLockedByCurrentThread() {
        return getWriteHoldCount() > 0;
    }

    public int getReadLockCount() {
        synchronized (holders) {
            return holders.holds;
        }
    }

    public int getReadHoldCount() {
        synchronized (holders) {
            return holders.held(Thread.currentThread());
        }
    }

    public int getWriteHoldCount() {
        synchronized (holders) {
            return holders.owner == Thread.currentThread() ? holders.depth : 0;
        }
    }

    public final boolean hasQueuedThreads() {
        synchronized (holders) {
            return !holders.isEmpty();
        }
    }

    public static class ReadLock implements Lock, java.io.Serializable {
        private final Holders of;

        protected ReadLock(ReentrantReadWriteLock lock) {
            of = lock.holders;
        }

        @Override
        public void lock() {
            of.acquire(READ);
        }

        @Override
        public void lockInterruptibly() throws InterruptedException {
            of.acquire(READ, false, true);
        }

        @Override
        public boolean tryLock() {
            synchronized (of) {
                return of.take(READ) != 0;
            }
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
            return of.acquire(READ, true, unit.toNanos(time) > 0) != 0;
        }

        @Override
        public void unlock() {
            synchronized (of) {
                Thread self = Thread.currentThread();
                if (of.held(self) == 0) throw new IllegalMonitorStateException("attempt to unlock read lock, not locked by current thread");
                of.hold(self, -1);
                if (of.holds == 0) of.given();
            }
        }

        @Override
        public Condition newCondition() {
            throw new UnsupportedOperationException();
        }
    }

    public static class WriteLock implements Lock, java.io.Serializable {
        private final Holders of;

        protected WriteLock(ReentrantReadWriteLock lock) {
            of = lock.holders;
        }

        @Override
        public void lock() {
            of.acquire(1);
        }

        @Override
        public void lockInterruptibly() throws InterruptedException {
            of.acquire(1, false, true);
        }

        @Override
        public boolean tryLock() {
            synchronized (of) {
                return of.take(1) != 0;
            }
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
            return of.acquire(1, true, unit.toNanos(time) > 0) != 0;
        }

        @Override
        public void unlock() {
            synchronized (of) {
                if (of.owner != Thread.currentThread()) throw new IllegalMonitorStateException();
                if (--of.depth > 0) return;
                of.owner = null;
                of.given();
            }
        }

        @Override
        public Condition newCondition() {
            return new Awaited(of);
        }

        public boolean isHeldByCurrentThread() {
            return getHoldCount() > 0;
        }

        public int getHoldCount() {
            synchronized (of) {
                return of.owner == Thread.currentThread() ? of.depth : 0;
            }
        }
    }

    /** A condition of the write lock: who waits for it gives the lock back, and takes it again as others do. */
    private static final class Awaited implements Condition {
        private final Holders of;

        Awaited(Holders of) {
            this.of = of;
        }

        private void check() {
            if (of.owner != Thread.currentThread()) throw new IllegalMonitorStateException();
        }

        private int giveBack() {
            check();
            int depth = of.depth;
            if (depth > 1) {
                XcuteThreads.coarse("java.util.concurrent.locks.Condition: a wait for a lock that is held several times may end without a notification");
            }
            of.depth = 0;
            of.owner = null;
            of.given();
            return depth;
        }

        private boolean waited(boolean timed) throws InterruptedException {
            int depth = 0;
            try {
                synchronized (of) {
                    check();
                    XcuteThreads.checkInterrupt();
                    depth = giveBack();
                    return XcuteThreads.await(this, of, timed);
                }
            } finally {
                if (depth > 0) of.acquire(depth);
            }
        }

        @Override
        public void await() throws InterruptedException {
            waited(false);
        }

        @Override
        public void awaitUninterruptibly() {
            int depth;
            synchronized (of) {
                depth = giveBack();
                XcuteThreads.awaitUninterruptibly(this, of);
            }
            of.acquire(depth);
        }

        /** How long it took is not known: as if no time were left. */
        @Override
        public long awaitNanos(long nanoseconds) throws InterruptedException {
            XcuteThreads.coarseForProgram("java.util.concurrent.locks.Condition.awaitNanos: how much time is left is not known");
            return waited(true) ? 1 : 0;
        }

        @Override
        public boolean await(long time, TimeUnit unit) throws InterruptedException {
            return waited(true);
        }

        @Override
        public boolean awaitUntil(java.util.Date deadline) throws InterruptedException {
            return waited(true);
        }

        @Override
        public void signal() {
            synchronized (of) {
                check();
                XcuteThreads.wake(this, of, false);
            }
        }

        @Override
        public void signalAll() {
            synchronized (of) {
                check();
                XcuteThreads.wake(this, of, true);
            }
        }
    }
}
