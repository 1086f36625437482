package java.util.concurrent;

/** As the JDK's: the last of several tasks to end completes the one that they belong to. */
public abstract class CountedCompleter<T> extends ForkJoinTask<T> {
    final CountedCompleter<?> completer;
    private volatile int pending;

    protected CountedCompleter(CountedCompleter<?> completer, int pending) {
        this.completer = completer;
        this.pending = pending;
    }

    protected CountedCompleter(CountedCompleter<?> completer) {
        this(completer, 0);
    }

    protected CountedCompleter() {
        this(null, 0);
    }

    public abstract void compute();

    public void onCompletion(CountedCompleter<?> caller) {}

    public boolean onExceptionalCompletion(Throwable thrown, CountedCompleter<?> caller) {
        return true;
    }

    public final CountedCompleter<?> getCompleter() {
        return completer;
    }

    public final int getPendingCount() {
        return pending;
    }

    public final void setPendingCount(int count) {
        pending = count;
    }

    public final void addToPendingCount(int by) {
        XcuteThreads.atomic();
        pending = pending + by;
        XcuteThreads.plain();
    }

    public final boolean compareAndSetPendingCount(int expected, int count) {
        XcuteThreads.atomic();
        boolean same = pending == expected;
        if (same) pending = count;
        XcuteThreads.plain();
        return same;
    }

    public final int decrementPendingCountUnlessZero() {
        XcuteThreads.atomic();
        int old = pending;
        if (old != 0) pending = old - 1;
        XcuteThreads.plain();
        return old;
    }

    public final CountedCompleter<?> getRoot() {
        CountedCompleter<?> task = this;
        while (task.completer != null) task = task.completer;
        return task;
    }

    public final void tryComplete() {
        CountedCompleter<?> task = this, caller = this;
        while (task.decrementPendingCountUnlessZero() == 0) {
            task.onCompletion(caller);
            caller = task;
            task = task.completer;
            if (task == null) {
                caller.quietlyComplete();
                return;
            }
        }
    }

    public final void propagateCompletion() {
        CountedCompleter<?> task = this, caller;
        while (task.decrementPendingCountUnlessZero() == 0) {
            caller = task;
            task = task.completer;
            if (task == null) {
                caller.quietlyComplete();
                return;
            }
        }
    }

    @Override
    public void complete(T value) {
        setRawResult(value);
        onCompletion(this);
        quietlyComplete();
        if (completer != null) completer.tryComplete();
    }

    public final CountedCompleter<?> firstComplete() {
        return decrementPendingCountUnlessZero() == 0 ? this : null;
    }

    public final CountedCompleter<?> nextComplete() {
        if (completer != null) return completer.firstComplete();
        quietlyComplete();
        return null;
    }

    public final void quietlyCompleteRoot() {
        getRoot().quietlyComplete();
    }

    public final void helpComplete(int most) {}

    /** An exception completes all that this one belongs to, as long as they let it. */
    @Override
    final void failed(Throwable thrown) {
        CountedCompleter<?> task = this, caller = this;
        while (task.onExceptionalCompletion(thrown, caller)) {
            caller = task;
            task = task.completer;
            if (task == null || task.isDone()) return;
            task.fails(thrown);
        }
    }

    @Override
    protected final boolean exec() {
        compute();
        return false;
    }

    @Override
    public T getRawResult() {
        return null;
    }

    @Override
    protected void setRawResult(T value) {}
}
