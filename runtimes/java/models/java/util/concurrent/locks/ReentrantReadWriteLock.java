package java.util.concurrent.locks;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** As the JDK's, with a monitor. Who gets it next is a choice of the schedule, also where it is fair. */
public class ReentrantReadWriteLock implements ReadWriteLock, java.io.Serializable {
    private final ReadLock reader = new ReadLock(this);
    private final WriteLock writer = new WriteLock(this);
    /** Who reads, how often. */
    private Thread[] readers = new Thread[4];
    private int[] times = new int[4];
    private Thread owner;
    private int depth;
    private int holds;

    public ReentrantReadWriteLock() {}

    public ReentrantReadWriteLock(boolean fair) {}

    @Override
    public WriteLock writeLock() {
        return writer;
    }

    @Override
    public ReadLock readLock() {
        return reader;
    }

    public boolean isWriteLocked() {
        synchronized (this) {
            return owner != null;
        }
    }

    public boolean isWriteLockedByCurrentThread() {
        synchronized (this) {
            return owner == Thread.currentThread();
        }
    }

    public int getReadLockCount() {
        synchronized (this) {
            return holds;
        }
    }

    public int getReadHoldCount() {
        synchronized (this) {
            return held(Thread.currentThread());
        }
    }

    public int getWriteHoldCount() {
        synchronized (this) {
            return owner == Thread.currentThread() ? depth : 0;
        }
    }

    private int held(Thread thread) {
        for (int i = 0; i < readers.length; i++) {
            if (readers[i] == thread) return times[i];
        }
        return 0;
    }

    private void hold(Thread thread, int by) {
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

    private boolean tryRead() {
        Thread self = Thread.currentThread();
        if (owner != null && owner != self) return false;
        hold(self, 1);
        return true;
    }

    private boolean tryWrite() {
        Thread self = Thread.currentThread();
        if (owner == self) {
            depth++;
            return true;
        }
        if (owner != null || holds > 0) return false;
        owner = self;
        depth = 1;
        return true;
    }

    private void endRead() {
        Thread self = Thread.currentThread();
        if (held(self) == 0) throw new IllegalMonitorStateException("attempt to unlock read lock, not locked by current thread");
        hold(self, -1);
        if (holds == 0) notifyAll();
    }

    private void endWrite() {
        if (owner != Thread.currentThread()) throw new IllegalMonitorStateException();
        if (--depth == 0) {
            owner = null;
            notifyAll();
        }
    }

    public static class ReadLock implements Lock, java.io.Serializable {
        private final ReentrantReadWriteLock of;

        protected ReadLock(ReentrantReadWriteLock of) {
            this.of = of;
        }

        @Override
        public void lock() {
            synchronized (of) {
                while (!of.tryRead()) XcuteThreads.awaitUninterruptibly(of, of);
            }
        }

        @Override
        public void lockInterruptibly() throws InterruptedException {
            synchronized (of) {
                while (!of.tryRead()) of.wait();
            }
        }

        @Override
        public boolean tryLock() {
            synchronized (of) {
                return of.tryRead();
            }
        }

        /** Waiting for a time and then giving up is trying later. */
        @Override
        public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
            return tryLock();
        }

        @Override
        public void unlock() {
            synchronized (of) {
                of.endRead();
            }
        }

        @Override
        public Condition newCondition() {
            throw new UnsupportedOperationException();
        }
    }

    public static class WriteLock implements Lock, java.io.Serializable {
        private final ReentrantReadWriteLock of;

        protected WriteLock(ReentrantReadWriteLock of) {
            this.of = of;
        }

        @Override
        public void lock() {
            synchronized (of) {
                while (!of.tryWrite()) XcuteThreads.awaitUninterruptibly(of, of);
            }
        }

        @Override
        public void lockInterruptibly() throws InterruptedException {
            synchronized (of) {
                while (!of.tryWrite()) of.wait();
            }
        }

        @Override
        public boolean tryLock() {
            synchronized (of) {
                return of.tryWrite();
            }
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
            return tryLock();
        }

        @Override
        public void unlock() {
            synchronized (of) {
                of.endWrite();
            }
        }

        /** A condition of the write lock is one that the model does not have. */
        @Override
        public Condition newCondition() {
            throw XcuteThreads.unsupported("a condition of a write lock");
        }

        public boolean isHeldByCurrentThread() {
            return of.isWriteLockedByCurrentThread();
        }
    }
}
