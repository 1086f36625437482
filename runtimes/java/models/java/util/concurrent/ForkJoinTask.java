package java.util.concurrent;

import java.util.Collection;

/** As the JDK's, with a monitor. Each task that is forked has a daemon thread. */
public abstract class ForkJoinTask<V> implements Future<V>, java.io.Serializable {
    /** Programs may synchronize on this object themselves. */
    private final Object monitor = new Object();
    private static final int NEW = 0;
    private static final int DONE = 1;
    private static final int FAILED = 2;
    private static final int CANCELLED = 3;

    private int state;
    private Throwable failure;
    /** Who ended it. */
    private Thread runner;

    public ForkJoinTask() {}

    protected abstract boolean exec();

    public abstract V getRawResult();

    protected abstract void setRawResult(V value);

    private void end(int as, Throwable thrown) {
        synchronized (monitor) {
            if (state != NEW) return;
            state = as;
            failure = thrown;
            runner = Thread.currentThread();
            monitor.notifyAll();
        }
    }

    final void fails(Throwable thrown) {
        end(FAILED, thrown);
    }

    /** It has ended with an exception. */
    void failed(Throwable thrown) {}

    /** Runs the task, whoever asks for it. */
    final void execute() {
        if (isDone()) return;
        boolean whole;
        try {
            whole = exec();
        } catch (Throwable thrown) {
            fails(thrown);
            failed(thrown);
            return;
        }
        if (whole) end(DONE, null);
    }

    public final ForkJoinTask<V> fork() {
        Thread thread = new Thread(() -> {
            XcuteThreads.pooled();
            execute();
        });
        thread.setDaemon(true);
        thread.start();
        return this;
    }

    /** In the JDK, who waits for a task may run it. */
    private static void mayHelp() {
        if (XcuteThreads.holdsMonitors()) {
            XcuteThreads.coarse("java.util.concurrent.ForkJoinTask.join with a monitor: that it may run other tasks itself is not followed");
        }
    }

    private void await() {
        mayHelp();
        synchronized (monitor) {
            while (state == NEW) XcuteThreads.awaitUninterruptibly(monitor, monitor);
        }
    }

    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        @SuppressWarnings("unchecked")
        T same = (T) thrown;
        throw same;
    }

    private V reported() {
        synchronized (monitor) {
            if (state == CANCELLED) throw new CancellationException();
            if (state == FAILED && runner != Thread.currentThread()) {
                XcuteThreads.coarse("java.util.concurrent.ForkJoinTask.join: an exception of another thread is thrown as it is");
            }
            if (state == FAILED) ForkJoinTask.<RuntimeException>sneak(failure);
        }
        return getRawResult();
    }

    public final V join() {
        await();
        return reported();
    }

    public final V invoke() {
        execute();
        return join();
    }

    @Override
    public final V get() throws InterruptedException, ExecutionException {
        mayHelp();
        synchronized (monitor) {
            while (state == NEW) monitor.wait();
            return given();
        }
    }

    @Override
    public final V get(long time, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        synchronized (monitor) {
            if (state == NEW && unit.toNanos(time) > 0) monitor.wait(1);
            if (state == NEW) throw new TimeoutException();
            return given();
        }
    }

    private V given() throws ExecutionException {
        if (state == CANCELLED) throw new CancellationException();
        if (state == FAILED) throw new ExecutionException(failure);
        return getRawResult();
    }

    public static void invokeAll(ForkJoinTask<?> first, ForkJoinTask<?> second) {
        second.fork();
        first.invoke();
        second.join();
    }

    public static void invokeAll(ForkJoinTask<?>... tasks) {
        for (int i = tasks.length - 1; i > 0; i--) tasks[i].fork();
        if (tasks.length > 0) tasks[0].invoke();
        for (int i = 1; i < tasks.length; i++) tasks[i].join();
    }

    public static <T extends ForkJoinTask<?>> Collection<T> invokeAll(Collection<T> tasks) {
        invokeAll(tasks.toArray(new ForkJoinTask<?>[0]));
        return tasks;
    }

    @Override
    public boolean cancel(boolean interrupts) {
        end(CANCELLED, null);
        return isCancelled();
    }

    @Override
    public final boolean isDone() {
        synchronized (monitor) {
            return state != NEW;
        }
    }

    @Override
    public final boolean isCancelled() {
        synchronized (monitor) {
            return state == CANCELLED;
        }
    }

    public final boolean isCompletedNormally() {
        synchronized (monitor) {
            return state == DONE;
        }
    }

    public final boolean isCompletedAbnormally() {
        synchronized (monitor) {
            return state > DONE;
        }
    }

    public final Throwable getException() {
        synchronized (monitor) {
            return state == CANCELLED ? new CancellationException() : failure;
        }
    }

    public void completeExceptionally(Throwable thrown) {
        end(FAILED, thrown instanceof RuntimeException || thrown instanceof Error ? thrown : new RuntimeException(thrown));
    }

    public void complete(V value) {
        setRawResult(value);
        end(DONE, null);
    }

    public final void quietlyComplete() {
        end(DONE, null);
    }

    public final void quietlyJoin() {
        await();
    }

    public final void quietlyInvoke() {
        execute();
        await();
    }

    /** A task made of a function. */
    static final class Adapted<T> extends ForkJoinTask<T> implements RunnableFuture<T> {
        private final Callable<? extends T> callable;
        private T result;

        Adapted(Callable<? extends T> callable) {
            if (callable == null) throw new NullPointerException();
            this.callable = callable;
        }

        @Override
        public T getRawResult() {
            return result;
        }

        @Override
        protected void setRawResult(T value) {
            result = value;
        }

        @Override
        protected boolean exec() {
            try {
                result = callable.call();
            } catch (RuntimeException thrown) {
                throw thrown;
            } catch (Exception thrown) {
                throw new RuntimeException(thrown);
            }
            return true;
        }

        @Override
        public void run() {
            invoke();
        }
    }

    public static ForkJoinTask<?> adapt(Runnable runnable) {
        return adapt(runnable, null);
    }

    public static <T> ForkJoinTask<T> adapt(Runnable runnable, T result) {
        if (runnable == null) throw new NullPointerException();
        return new Adapted<>(() -> {
            runnable.run();
            return result;
        });
    }

    public static <T> ForkJoinTask<T> adapt(Callable<? extends T> callable) {
        return new Adapted<>(callable);
    }
}
