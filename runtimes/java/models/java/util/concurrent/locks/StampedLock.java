package java.util.concurrent.locks;

import java.util.concurrent.TimeUnit;

/** As the JDK's, with its queue and the same stamps. One that comes to read may pass those that wait, unless the lock changes at that very moment. */
public class StampedLock implements java.io.Serializable {
    private static final long WRITES = 128;
    private static final long READERS = 127;
    private static final int READ = 0;
    private static final int WRITE = 1;

    private static final class Line extends XcuteLine {
        long state = 256;

        @Override
        protected long take(int wanted) {
            if ((state & (wanted == WRITE ? 255 : WRITES)) != 0) return 0;
            return wanted == WRITE ? state += WRITES : read();
        }

        @Override
        protected boolean mayPass(int wanted) {
            return wanted == WRITE || isEmpty();
        }

        long read() {
            if ((state & READERS) == 126) throw XcuteThreads.unsupported("a StampedLock with 126 readers");
            return ++state;
        }
    }

    private final Line line = new Line();

    public StampedLock() {}

    public long writeLock() {
        return line.acquire(WRITE);
    }

    public long writeLockInterruptibly() throws InterruptedException {
        return line.acquire(WRITE, false, true);
    }

    public long tryWriteLock() {
        synchronized (line) {
            return line.take(WRITE);
        }
    }

    public long tryWriteLock(long time, TimeUnit unit) throws InterruptedException {
        return line.acquire(WRITE, true, unit.toNanos(time) > 0);
    }

    /** Reads the lock, and takes it if nobody has changed it since. */
    private long passing() {
        long seen;
        synchronized (line) {
            seen = line.state;
        }
        synchronized (line) {
            return line.state == seen ? line.take(READ) : 0;
        }
    }

    public long readLock() {
        long got = passing();
        return got != 0 ? got : line.acquire(READ);
    }

    public long readLockInterruptibly() throws InterruptedException {
        XcuteThreads.checkInterrupt();
        long got = passing();
        return got != 0 ? got : line.acquire(READ, false, true);
    }

    public long tryReadLock() {
        synchronized (line) {
            return line.take(READ);
        }
    }

    public long tryReadLock(long time, TimeUnit unit) throws InterruptedException {
        XcuteThreads.checkInterrupt();
        long got = tryReadLock();
        return got != 0 ? got : line.acquire(READ, true, unit.toNanos(time) > 0);
    }

    public long tryOptimisticRead() {
        synchronized (line) {
            return (line.state & WRITES) == 0 ? line.state & ~READERS : 0;
        }
    }

    public boolean validate(long stamp) {
        synchronized (line) {
            return (stamp & ~READERS) == (line.state & ~READERS);
        }
    }

    public void unlockWrite(long stamp) {
        synchronized (line) {
            if (line.state != stamp || (stamp & WRITES) == 0) throw new IllegalMonitorStateException();
            line.state += WRITES;
            line.given();
        }
    }

    public void unlockRead(long stamp) {
        synchronized (line) {
            if ((stamp & READERS) == 0 || (line.state & READERS) == 0 || (line.state & ~READERS) != (stamp & ~READERS)) {
                throw new IllegalMonitorStateException();
            }
            line.state--;
            if ((line.state & READERS) == 0) line.given();
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
        synchronized (line) {
            if ((stamp & ~READERS) != (line.state & ~READERS)) return 0;
            long how = stamp & 255;
            if (how == 0) return (line.state & 255) == 0 ? line.state += WRITES : 0;
            if ((how & WRITES) != 0) return line.state == stamp ? stamp : 0;
            return (line.state & READERS) == 1 ? line.state += WRITES - 1 : 0;
        }
    }

    public long tryConvertToReadLock(long stamp) {
        synchronized (line) {
            if ((stamp & ~READERS) != (line.state & ~READERS)) return 0;
            long how = stamp & 255;
            if ((how & WRITES) != 0) {
                if (line.state != stamp) return 0;
                line.state += WRITES + 1;
                line.given();
                return line.state;
            }
            return how == 0 ? line.read() : stamp;
        }
    }

    public long tryConvertToOptimisticRead(long stamp) {
        synchronized (line) {
            if ((stamp & ~READERS) != (line.state & ~READERS)) return 0;
            long how = stamp & 255;
            if (how == 0) return stamp;
            if ((how & WRITES) != 0) {
                if (line.state != stamp) return 0;
                line.state += WRITES;
            } else if ((line.state & READERS) == 0) {
                return 0;
            } else {
                line.state--;
            }
            if ((line.state & READERS) == 0) line.given();
            return line.state & ~READERS;
        }
    }

    public boolean isWriteLocked() {
        synchronized (line) {
            return (line.state & WRITES) != 0;
        }
    }

    public boolean isReadLocked() {
        synchronized (line) {
            return (line.state & READERS) != 0;
        }
    }

    public int getReadLockCount() {
        synchronized (line) {
            return (int) (line.state & READERS);
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
