package java.util.concurrent;

/** As the JDK's, for the pools that have a model. */
public class Executors {
    private Executors() {}

    public static ExecutorService newFixedThreadPool(int threads) {
        return newFixedThreadPool(threads, defaultThreadFactory());
    }

    public static ExecutorService newFixedThreadPool(int threads, ThreadFactory factory) {
        return new ThreadPoolExecutor(threads, threads, 0, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), factory);
    }

    public static ExecutorService newSingleThreadExecutor() {
        return newFixedThreadPool(1);
    }

    public static ExecutorService newSingleThreadExecutor(ThreadFactory factory) {
        return newFixedThreadPool(1, factory);
    }

    public static ExecutorService newCachedThreadPool() {
        return newCachedThreadPool(defaultThreadFactory());
    }

    public static ExecutorService newCachedThreadPool(ThreadFactory factory) {
        return new ThreadPoolExecutor(factory);
    }

    public static ScheduledExecutorService newScheduledThreadPool(int threads) {
        return new ScheduledThreadPoolExecutor(threads);
    }

    public static ScheduledExecutorService newScheduledThreadPool(int threads, ThreadFactory factory) {
        return new ScheduledThreadPoolExecutor(threads, factory);
    }

    public static ScheduledExecutorService newSingleThreadScheduledExecutor() {
        return new ScheduledThreadPoolExecutor(1);
    }

    public static ScheduledExecutorService newSingleThreadScheduledExecutor(ThreadFactory factory) {
        return new ScheduledThreadPoolExecutor(1, factory);
    }

    /** Of later versions. */
    public static ExecutorService newVirtualThreadPerTaskExecutor() {
        return newThreadPerTaskExecutor(XcuteBuilder.factory(XcuteBuilder.ofVirtual()));
    }

    /** Of later versions. */
    public static ExecutorService newThreadPerTaskExecutor(ThreadFactory factory) {
        return new ThreadPerTaskExecutor(factory);
    }

    /** As the JDK's, for one pool: the threads have names with numbers. */
    public static ThreadFactory defaultThreadFactory() {
        int number = XcuteThreads.pools();
        if (number < 0) XcuteThreads.coarse("java.util.concurrent.Executors: the number in the name of a pool that another thread makes");
        String begin = "pool-" + Math.abs(number) + "-thread-";
        java.util.concurrent.atomic.AtomicInteger threads = new java.util.concurrent.atomic.AtomicInteger();
        return task -> {
            Thread made = new Thread(task, begin + threads.incrementAndGet());
            made.setDaemon(false);
            return made;
        };
    }

    public static <T> Callable<T> callable(Runnable task, T result) {
        if (task == null) throw new NullPointerException();
        return () -> {
            task.run();
            return result;
        };
    }

    public static Callable<Object> callable(Runnable task) {
        return callable(task, null);
    }
}
