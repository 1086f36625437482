package java.util.concurrent;

/** As the JDK's, with a monitor. */
public class FutureTask<V> implements RunnableFuture<V> {
    /** Programs may synchronize on this object themselves. */
    private final Object monitor = new Object();
    private static final int NEW = 0;
    private static final int DONE = 1;
    private static final int FAILED = 2;
    private static final int CANCELLED = 3;

    private Callable<V> callable;
    private int state;
    private boolean begun;
    private V value;
    private Throwable failure;
    private Thread runner;

    public FutureTask(Callable<V> callable) {
        if (callable == null) throw new NullPointerException();
        this.callable = callable;
    }

    public FutureTask(Runnable runnable, V result) {
        if (runnable == null) throw new NullPointerException();
        callable = () -> {
            runnable.run();
            return result;
        };
    }

    @Override
    public boolean isCancelled() {
        synchronized (monitor) {
            return state == CANCELLED;
        }
    }

    @Override
    public boolean isDone() {
        synchronized (monitor) {
            return state != NEW;
        }
    }

    @Override
    public boolean cancel(boolean interrupts) {
        synchronized (monitor) {
            if (state != NEW) return false;
            if (interrupts && runner != null) throw XcuteThreads.unsupported("a task that is interrupted while it runs");
            state = CANCELLED;
            monitor.notifyAll();
        }
        done();
        return true;
    }

    @Override
    public V get() throws InterruptedException, ExecutionException {
        synchronized (monitor) {
            while (state == NEW) monitor.wait();
            return report();
        }
    }

    @Override
    public V get(long time, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        synchronized (monitor) {
            if (state == NEW && unit.toNanos(time) > 0) monitor.wait(1);
            if (state == NEW) throw new TimeoutException();
            return report();
        }
    }

    private V report() throws ExecutionException {
        if (state == DONE) return value;
        if (state == CANCELLED) throw new CancellationException();
        throw new ExecutionException(failure);
    }

    protected void done() {}

    protected void set(V result) {
        if (end(DONE, result, null)) done();
    }

    protected void setException(Throwable thrown) {
        if (end(FAILED, null, thrown)) done();
    }

    private boolean end(int as, V result, Throwable thrown) {
        synchronized (monitor) {
            if (state != NEW) return false;
            value = result;
            failure = thrown;
            state = as;
            runner = null;
            monitor.notifyAll();
            return true;
        }
    }

    /** Runs it without an end, so that it can run again; whether it can. */
    protected boolean runAndReset() {
        synchronized (monitor) {
            if (state != NEW || begun) return false;
            begun = true;
            runner = Thread.currentThread();
        }
        try {
            callable.call();
        } catch (Throwable thrown) {
            setException(thrown);
            return false;
        }
        synchronized (monitor) {
            begun = false;
            runner = null;
            return state == NEW;
        }
    }

    @Override
    public void run() {
        synchronized (monitor) {
            if (state != NEW || begun) return;
            begun = true;
            runner = Thread.currentThread();
        }
        V result;
        try {
            result = callable.call();
        } catch (Throwable thrown) {
            setException(thrown);
            return;
        }
        set(result);
    }
}
