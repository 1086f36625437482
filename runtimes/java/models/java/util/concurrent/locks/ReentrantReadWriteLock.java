package java.util.concurrent.locks;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * As the JDK's. Where that makes a difference threads stand in a queue: one that comes to read does not pass a writer that waits first, unless it reads already.
 */
public class ReentrantReadWriteLock implements ReadWriteLock, java.io.Serializable {
    private static final int READ = 0;
    /** What is taken of the lock, for the runtime. */
    private static final int READING = 1;
    private static final int WRITING = 2;

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

    /** The lock itself, where nobody stands in a queue. Whoever uses a condition also has the monitor of the holders. */
    private final Object lock = new Object();
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
        if (!XcuteLocks.inLine()) return XcuteLocks.look(lock, WRITING) != 0;
        synchronized (holders) {
            return holders.owner != null;
        }
    }

    public boolean isWriteLockedByCurrentThread() {
        return getWriteHoldCount() > 0;
    }

    public int getReadLockCount() {
        if (!XcuteLocks.inLine()) return XcuteLocks.look(lock, READING);
        synchronized (holders) {
            return holders.holds;
        }
    }

    public int getReadHoldCount() {
        if (!XcuteLocks.inLine()) return XcuteLocks.held(lock, READING);
        synchronized (holders) {
            return holders.held(Thread.currentThread());
        }
    }

    public int getWriteHoldCount() {
        if (!XcuteLocks.inLine()) return XcuteLocks.held(lock, WRITING);
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
        private final Object lock;

        protected ReadLock(ReentrantReadWriteLock lock) {
            of = lock.holders;
            this.lock = lock.lock;
        }

        @Override
        public void lock() {
            if (XcuteLocks.inLine()) of.acquire(READ);
            else XcuteLocks.acquire(lock, READING, 0);
        }

        @Override
        public void lockInterruptibly() throws InterruptedException {
            if (XcuteLocks.inLine()) of.acquire(READ, false, true);
            else XcuteLocks.acquire(lock, READING, 0);
        }

        @Override
        public boolean tryLock() {
            if (!XcuteLocks.inLine()) return XcuteLocks.tries(lock, this, READING);
            synchronized (of) {
                return of.take(READ) != 0;
            }
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
            // Waiting for a time and then giving up is trying later.
            return XcuteLocks.inLine() ? of.acquire(READ, true, unit.toNanos(time) > 0) != 0 : XcuteLocks.tries(lock, this, READING);
        }

        @Override
        public void unlock() {
            if (!XcuteLocks.inLine()) {
                XcuteLocks.release(lock, READING, 0);
                return;
            }
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
        private final Object lock;

        protected WriteLock(ReentrantReadWriteLock lock) {
            of = lock.holders;
            this.lock = lock.lock;
        }

        @Override
        public void lock() {
            if (XcuteLocks.inLine()) of.acquire(1);
            else XcuteLocks.acquire(lock, WRITING, 0);
        }

        @Override
        public void lockInterruptibly() throws InterruptedException {
            if (XcuteLocks.inLine()) of.acquire(1, false, true);
            else XcuteLocks.acquire(lock, WRITING, 0);
        }

        @Override
        public boolean tryLock() {
            if (!XcuteLocks.inLine()) return XcuteLocks.tries(lock, this, WRITING);
            synchronized (of) {
                return of.take(1) != 0;
            }
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
            return XcuteLocks.inLine() ? of.acquire(1, true, unit.toNanos(time) > 0) != 0 : XcuteLocks.tries(lock, this, WRITING);
        }

        @Override
        public void unlock() {
            if (!XcuteLocks.inLine()) {
                XcuteLocks.release(lock, WRITING, 0);
                return;
            }
            synchronized (of) {
                if (of.owner != Thread.currentThread()) throw new IllegalMonitorStateException();
                if (--of.depth > 0) return;
                of.owner = null;
                of.given();
            }
        }

        @Override
        public Condition newCondition() {
            return new Awaited(of, lock);
        }

        boolean isLocked() {
            if (!XcuteLocks.inLine()) return XcuteLocks.look(lock, WRITING) != 0;
            synchronized (of) {
                return of.owner != null;
            }
        }

        public boolean isHeldByCurrentThread() {
            return getHoldCount() > 0;
        }

        public int getHoldCount() {
            if (!XcuteLocks.inLine()) return XcuteLocks.held(lock, WRITING);
            synchronized (of) {
                return of.owner == Thread.currentThread() ? of.depth : 0;
            }
        }
    }

    /** A condition of the write lock: who waits for it gives the lock back, and takes it again as others do. */
    private static final class Awaited implements Condition {
        private final Holders of;
        private final Object lock;

        Awaited(Holders of, Object lock) {
            this.of = of;
            this.lock = lock;
        }

        private void check() {
            boolean own = XcuteLocks.inLine() ? of.owner == Thread.currentThread() : XcuteLocks.held(lock, WRITING) > 0;
            if (!own) throw new IllegalMonitorStateException();
        }

        private int giveBack() {
            check();
            int depth = XcuteLocks.inLine() ? of.depth : XcuteLocks.held(lock, WRITING);
            if (depth > 1) {
                XcuteThreads.coarse("java.util.concurrent.locks.Condition: a wait for a lock that is held several times may end without a notification");
            }
            if (XcuteLocks.inLine()) {
                of.depth = 0;
                of.owner = null;
                of.given();
            } else {
                for (int i = 0; i < depth; i++) XcuteLocks.release(lock, WRITING, 0);
            }
            return depth;
        }

        private void takeAgain(int depth) {
            if (XcuteLocks.inLine()) {
                of.acquire(depth);
            } else {
                for (int i = 0; i < depth; i++) XcuteLocks.acquire(lock, WRITING, 0);
            }
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
                if (depth > 0) takeAgain(depth);
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
            takeAgain(depth);
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
