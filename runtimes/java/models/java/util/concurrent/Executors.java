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

    private static final java.util.concurrent.atomic.AtomicInteger POOLS = new java.util.concurrent.atomic.AtomicInteger();

    /** As the JDK's, for one pool: the threads have names with numbers. */
    public static ThreadFactory defaultThreadFactory() {
        String begin = "pool-" + POOLS.incrementAndGet() + "-thread-";
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
