package java.util.concurrent.locks;

import java.util.concurrent.TimeUnit;

/** As the JDK's, with a monitor and the same stamps. */
public class StampedLock implements java.io.Serializable {
    private static final long WRITES = 128;
    private static final long READERS = 127;

    private long state = 256;

    public StampedLock() {}

    public long writeLock() {
        synchronized (this) {
            while ((state & 255) != 0) XcuteThreads.awaitUninterruptibly(this, this);
            return state += WRITES;
        }
    }

    public long writeLockInterruptibly() throws InterruptedException {
        synchronized (this) {
            while ((state & 255) != 0) wait();
            return state += WRITES;
        }
    }

    public long tryWriteLock() {
        synchronized (this) {
            return (state & 255) == 0 ? state += WRITES : 0;
        }
    }

    /** Waiting for a time and then giving up is trying later. */
    public long tryWriteLock(long time, TimeUnit unit) throws InterruptedException {
        return tryWriteLock();
    }

    public long readLock() {
        synchronized (this) {
            while ((state & WRITES) != 0) XcuteThreads.awaitUninterruptibly(this, this);
            return read();
        }
    }

    public long readLockInterruptibly() throws InterruptedException {
        synchronized (this) {
            while ((state & WRITES) != 0) wait();
            return read();
        }
    }

    private long read() {
        if ((state & READERS) == 126) throw XcuteThreads.unsupported("a StampedLock with 126 readers");
        return ++state;
    }

    public long tryReadLock() {
        synchronized (this) {
            return (state & WRITES) == 0 ? read() : 0;
        }
    }

    public long tryReadLock(long time, TimeUnit unit) throws InterruptedException {
        return tryReadLock();
    }

    public long tryOptimisticRead() {
        synchronized (this) {
            return (state & WRITES) == 0 ? state & ~READERS : 0;
        }
    }

    public boolean validate(long stamp) {
        synchronized (this) {
            return (stamp & ~READERS) == (state & ~READERS);
        }
    }

    public void unlockWrite(long stamp) {
        synchronized (this) {
            if (state != stamp || (stamp & WRITES) == 0) throw new IllegalMonitorStateException();
            state += WRITES;
            notifyAll();
        }
    }

    public void unlockRead(long stamp) {
        synchronized (this) {
            if ((stamp & READERS) == 0 || (state & READERS) == 0 || (state & ~READERS) != (stamp & ~READERS)) {
                throw new IllegalMonitorStateException();
            }
            state--;
            if ((state & READERS) == 0) notifyAll();
        }
    }

    public void unlock(long stamp) {
        if ((stamp & WRITES) != 0) {
            unlockWrite(stamp);
        } else {
            unlockRead(stamp);
        }
    }

    public long tryConvertToWriteLock(long stamp) {
        synchronized (this) {
            if ((stamp & ~READERS) != (state & ~READERS)) return 0;
            long how = stamp & 255;
            if (how == 0) return (state & 255) == 0 ? state += WRITES : 0;
            if ((how & WRITES) != 0) return state == stamp ? stamp : 0;
            return (state & READERS) == 1 ? state += WRITES - 1 : 0;
        }
    }

    public long tryConvertToReadLock(long stamp) {
        synchronized (this) {
            if ((stamp & ~READERS) != (state & ~READERS)) return 0;
            long how = stamp & 255;
            if ((how & WRITES) != 0) {
                if (state != stamp) return 0;
                state += WRITES + 1;
                notifyAll();
                return state;
            }
            return how == 0 ? read() : stamp;
        }
    }

    public long tryConvertToOptimisticRead(long stamp) {
        synchronized (this) {
            if ((stamp & ~READERS) != (state & ~READERS)) return 0;
            long how = stamp & 255;
            if (how == 0) return stamp;
            if ((how & WRITES) != 0) {
                if (state != stamp) return 0;
                state += WRITES;
            } else if ((state & READERS) == 0) {
                return 0;
            } else {
                state--;
            }
            if ((state & READERS) == 0) notifyAll();
            return state & ~READERS;
        }
    }

    public boolean isWriteLocked() {
        synchronized (this) {
            return (state & WRITES) != 0;
        }
    }

    public boolean isReadLocked() {
        synchronized (this) {
            return (state & READERS) != 0;
        }
    }

    public int getReadLockCount() {
        synchronized (this) {
            return (int) (state & READERS);
        }
    }

    public static boolean isWriteLockStamp(long stamp) {
        return (stamp & 255) == WRITES;
    }

    public static boolean isReadLockStamp(long stamp) {
        return (stamp & READERS) != 0;
    }

    public static boolean isLockStamp(long stamp) {
        return (stamp & 255) != 0;
    }

    public static boolean isOptimisticReadStamp(long stamp) {
        return (stamp & 255) == 0 && stamp != 0;
    }
}
