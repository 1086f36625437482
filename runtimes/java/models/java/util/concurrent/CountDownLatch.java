package java.util.concurrent;

/** As the JDK's, with a monitor. */
public class CountDownLatch {
    private long count;

    public CountDownLatch(int count) {
        if (count < 0) throw new IllegalArgumentException("count < 0");
        this.count = count;
    }

    public void await() throws InterruptedException {
        synchronized (this) {
            while (count > 0) wait();
        }
    }

    public boolean await(long time, TimeUnit unit) throws InterruptedException {
        synchronized (this) {
            if (count > 0) wait(1);
            return count == 0;
        }
    }

    public void countDown() {
        synchronized (this) {
            if (count > 0 && --count == 0) notifyAll();
        }
    }

    public long getCount() {
        synchronized (this) {
            return count;
        }
    }
}
