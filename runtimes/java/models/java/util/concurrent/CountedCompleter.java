package java.util.concurrent;

/** Tasks that complete others are not modelled: a run ends where it makes one. */
public abstract class CountedCompleter<T> extends ForkJoinTask<T> {
    protected CountedCompleter(CountedCompleter<?> completer, int pending) {
        throw XcuteThreads.unsupported("java.util.concurrent.CountedCompleter is not followed");
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
        return null;
    }

    public final int getPendingCount() {
        return 0;
    }

    public final void setPendingCount(int count) {}

    public final void addToPendingCount(int by) {}

    public final boolean compareAndSetPendingCount(int expected, int count) {
        return false;
    }

    public final int decrementPendingCountUnlessZero() {
        return 0;
    }

    public final CountedCompleter<?> getRoot() {
        return this;
    }

    public final void tryComplete() {}

    public final void propagateCompletion() {}

    public final CountedCompleter<?> firstComplete() {
        return null;
    }

    public final CountedCompleter<?> nextComplete() {
        return null;
    }

    public final void quietlyCompleteRoot() {}

    @Override
    public T getRawResult() {
        return null;
    }

    @Override
    protected void setRawResult(T value) {}

    @Override
    protected final boolean exec() {
        compute();
        return false;
    }
}
