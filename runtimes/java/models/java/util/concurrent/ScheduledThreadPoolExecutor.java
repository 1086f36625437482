package java.util.concurrent;

/**
 * As the JDK's: some time after it was handed in, a task is like any other. Of two that wait, the one with the shorter delay comes first if it also came first;
 * otherwise either may, and only one order is followed. A task that runs again and again does so at any time for the first two times, and then only when nobody
 * else can go on.
 */
public class ScheduledThreadPoolExecutor extends ThreadPoolExecutor implements ScheduledExecutorService {
    /** Programs may synchronize on this object themselves. */
    private final Object delays = new Object();
    /** Tasks that have not begun, and the longest delay among them. */
    private int pending;
    private long longest;

    private final class OneTime<V> extends FutureTask<V> implements RunnableScheduledFuture<V> {
        private final long delay;

        OneTime(Callable<V> task, long delay) {
            super(task);
            this.delay = delay;
        }

        @Override
        public void run() {
            begins();
            super.run();
        }

        @Override
        public boolean isPeriodic() {
            return false;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            XcuteThreads.coarse("java.util.concurrent.ScheduledFuture.getDelay: how much time is left is not known");
            return unit.convert(delay, TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }

    /** A task that runs again and again. */
    private final class Periodic extends FutureTask<Void> implements RunnableScheduledFuture<Void> {
        private final long delay;
        private int times;

        Periodic(Runnable task, long delay) {
            super(task, null);
            this.delay = delay;
        }

        @Override
        public void run() {
            if (isShutdown()) {
                cancel(false);
            } else if (super.runAndReset() && !repeats()) {
                cancel(false);
            }
        }

        private boolean repeats() {
            if (++times >= 2) return again(this);
            if (isShutdown()) return false;
            try {
                ScheduledThreadPoolExecutor.super.execute(this);
            } catch (RejectedExecutionException e) {
                return false;
            }
            return true;
        }

        @Override
        public boolean isPeriodic() {
            return true;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            XcuteThreads.coarse("java.util.concurrent.ScheduledFuture.getDelay: how much time is left is not known");
            return unit.convert(delay, TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }

    private ScheduledFuture<?> repeated(Runnable task, long first, long period, TimeUnit unit) {
        if (task == null || unit == null) throw new NullPointerException();
        if (period <= 0) throw new IllegalArgumentException();
        XcuteThreads.coarse("java.util.concurrent.ScheduledThreadPoolExecutor: a task runs again at any time only once, and later when no other thread can go on");
        Periodic made = new Periodic(task, Math.max(0, unit.toNanos(first)));
        super.execute(made);
        return made;
    }

    public ScheduledThreadPoolExecutor(int core) {
        this(core, Executors.defaultThreadFactory());
    }

    public ScheduledThreadPoolExecutor(int core, ThreadFactory factory) {
        super(core, Integer.MAX_VALUE, 0, TimeUnit.NANOSECONDS, new LinkedBlockingQueue<>(), factory);
    }

    private void comes(long delay) {
        synchronized (delays) {
            if (pending > 0 && delay < longest) {
                XcuteThreads.coarse("java.util.concurrent.ScheduledThreadPoolExecutor: a task with a shorter delay than an earlier one may run before or after it");
            }
            pending++;
            if (delay > longest) longest = delay;
        }
    }

    private void begins() {
        synchronized (delays) {
            pending--;
            if (pending == 0) longest = 0;
        }
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        if (task == null || unit == null) throw new NullPointerException();
        long time = Math.max(0, unit.toNanos(delay));
        OneTime<V> made = new OneTime<>(task, time);
        comes(time);
        super.execute(made);
        return made;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        return schedule(Executors.callable(task, null), delay, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long first, long period, TimeUnit unit) {
        return repeated(task, first, period, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long delay, TimeUnit unit) {
        return repeated(task, first, delay, unit);
    }

    @Override
    public void execute(Runnable task) {
        schedule(task, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public java.util.concurrent.Future<?> submit(Runnable task) {
        return schedule(task, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public <T> java.util.concurrent.Future<T> submit(Runnable task, T result) {
        return schedule(Executors.callable(task, result), 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public <T> java.util.concurrent.Future<T> submit(Callable<T> task) {
        return schedule(task, 0, TimeUnit.NANOSECONDS);
    }
}
