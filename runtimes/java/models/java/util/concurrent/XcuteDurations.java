package java.util.concurrent;

import java.time.Duration;

/**
 * In place of the methods of {@code Thread} that take a {@code Duration}, which later versions added. They have a class of their own, because with it all of
 * {@code java.time} is copied.
 */
public final class XcuteDurations {
    private XcuteDurations() {}

    public static void sleep(Duration time) throws InterruptedException {
        if (!time.isNegative()) Thread.sleep(1);
    }

    public static boolean join(Thread thread, Duration time) throws InterruptedException {
        if (time == null) throw new NullPointerException();
        if (!thread.isAlive()) {
            if (!XcuteThreads.started(thread)) throw new IllegalThreadStateException("Thread not started");
            return true;
        }
        if (time.isNegative() || time.isZero()) return false;
        thread.join(1);
        return !thread.isAlive();
    }
}
