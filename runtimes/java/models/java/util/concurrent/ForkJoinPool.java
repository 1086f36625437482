package java.util.concurrent;

import java.util.ArrayList;
import java.util.List;

/** As the JDK's, with as many threads as there are tasks: how many the JDK has depends on the machine. */
public class ForkJoinPool extends AbstractExecutorService {
    /** Programs may synchronize on this object themselves. */
    private final Object monitor = new Object();
    private boolean shutdown;
    private int running;
    /** It is the one that all share. */
    private final boolean common;

    public ForkJoinPool() {
        this(false);
    }

    private ForkJoinPool(boolean common) {
        this.common = common;
    }

    public ForkJoinPool(int parallelism) {
        this(false);
        if (parallelism <= 0) throw new IllegalArgumentException();
    }

    public static ForkJoinPool commonPool() {
        Object known = XcuteThreads.kept();
        if (known != null) return (ForkJoinPool) known;
        ForkJoinPool made = new ForkJoinPool(true);
        XcuteThreads.keep(made);
        return made;
    }

    /** As on a machine with one core: what the JDK's own classes share out they do alone then. */
    public static int getCommonPoolParallelism() {
        XcuteThreads.coarse("java.util.concurrent.ForkJoinPool.getCommonPoolParallelism does not depend on inputs alone");
        return 1;
    }

    private <T> ForkJoinTask<T> begun(ForkJoinTask<T> task) {
        if (task == null) throw new NullPointerException();
        synchronized (monitor) {
            if (shutdown) throw new RejectedExecutionException();
            running++;
        }
        Thread thread = new Thread(() -> {
            XcuteThreads.pooled();
            try {
                task.execute();
            } finally {
                synchronized (monitor) {
                    running--;
                    monitor.notifyAll();
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    public <T> T invoke(ForkJoinTask<T> task) {
        return begun(task).join();
    }

    public void execute(ForkJoinTask<?> task) {
        begun(task);
    }

    @Override
    public void execute(Runnable task) {
        submit(task);
    }

    public <T> ForkJoinTask<T> submit(ForkJoinTask<T> task) {
        return begun(task);
    }

    @Override
    public <T> ForkJoinTask<T> submit(Callable<T> task) {
        return begun(ForkJoinTask.<T>adapt(task));
    }

    @Override
    public <T> ForkJoinTask<T> submit(Runnable task, T result) {
        return begun(ForkJoinTask.adapt(task, result));
    }

    @Override
    public ForkJoinTask<?> submit(Runnable task) {
        if (task instanceof ForkJoinTask<?>) return begun((ForkJoinTask<?>) task);
        return begun(ForkJoinTask.adapt(task));
    }

    @Override
    public void shutdown() {
        if (common) return;
        synchronized (monitor) {
            shutdown = true;
            monitor.notifyAll();
        }
    }

    @Override
    public List<Runnable> shutdownNow() {
        if (!common) throw XcuteThreads.unsupported("ForkJoinPool.shutdownNow");
        return new ArrayList<>();
    }

    @Override
    public boolean isShutdown() {
        synchronized (monitor) {
            return shutdown;
        }
    }

    @Override
    public boolean isTerminated() {
        synchronized (monitor) {
            return shutdown && running == 0;
        }
    }

    @Override
    public boolean awaitTermination(long time, TimeUnit unit) throws InterruptedException {
        synchronized (monitor) {
            if (common) {
                if (running > 0) monitor.wait(1);
                return false;
            }
            if (!(shutdown && running == 0)) monitor.wait(1);
            return shutdown && running == 0;
        }
    }

    public boolean awaitQuiescence(long time, TimeUnit unit) {
        synchronized (monitor) {
            if (running > 0) {
                try {
                    monitor.wait(1);
                } catch (InterruptedException e) {
                    throw XcuteThreads.unsupported("an interrupt of ForkJoinPool.awaitQuiescence");
                }
            }
            return running == 0;
        }
    }
}
