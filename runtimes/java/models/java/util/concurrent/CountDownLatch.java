package java.util.concurrent;

/** As the JDK's, with a monitor. */
public class CountDownLatch {
    /** Programs may synchronize on this object themselves. */
    private final Object monitor = new Object();
    private long count;

    public CountDownLatch(int count) {
        if (count < 0) throw new IllegalArgumentException("count < 0");
        this.count = count;
    }

    public void await() throws InterruptedException {
        XcuteThreads.checkInterrupt();
        synchronized (monitor) {
            while (count > 0) monitor.wait();
        }
    }

    public boolean await(long time, TimeUnit unit) throws InterruptedException {
        XcuteThreads.checkInterrupt();
        synchronized (monitor) {
            boolean in = unit.toNanos(time) > 0;
            while (count > 0) {
                if (!in) return false;
                in = XcuteThreads.await(monitor, monitor, true);
            }
            return true;
        }
    }

    public void countDown() {
        synchronized (monitor) {
            if (count > 0 && --count == 0) monitor.notifyAll();
        }
    }

    public long getCount() {
        synchronized (monitor) {
            return count;
        }
    }
}
