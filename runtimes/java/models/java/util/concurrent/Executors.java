package java.util.concurrent;

/** As the JDK's, for the pools that have a model. */
public class Executors {
    private Executors() {}

    public static ExecutorService newFixedThreadPool(int threads) {
        return newFixedThreadPool(threads, Thread::new);
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
        return newCachedThreadPool(Thread::new);
    }

    public static ExecutorService newCachedThreadPool(ThreadFactory factory) {
        return new ThreadPoolExecutor(factory);
    }

    public static ThreadFactory defaultThreadFactory() {
        return Thread::new;
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
