package java.util.concurrent;

import java.util.ArrayList;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** As the JDK's, with a monitor. Each asynchronous task without an executor of its own has a daemon thread. */
public class CompletableFuture<T> implements Future<T>, CompletionStage<T> {
    /** Programs may synchronize on this object themselves. */
    private final Object monitor = new Object();
    /** Runs a task on a thread of its own. */
    private static final Executor THREADS = task -> {
        Thread thread = new Thread(() -> {
            XcuteThreads.pooled();
            task.run();
        });
        thread.setDaemon(true);
        thread.start();
    };

    private boolean done;
    /** Threads that wait for it, without a time. */
    private int waiting;
    private T value;
    private Throwable failure;
    private ArrayList<Runnable> dependents = new ArrayList<>();

    public CompletableFuture() {}

    // Completing.

    private boolean end(T result, Throwable thrown) {
        ArrayList<Runnable> then;
        synchronized (monitor) {
            if (done) return false;
            value = result;
            failure = thrown;
            done = true;
            then = dependents;
            dependents = null;
            if (waiting > 0 && !then.isEmpty()) {
                XcuteThreads.coarse("java.util.concurrent.CompletableFuture: one that waits may run the dependents, which is not followed");
            }
            monitor.notifyAll();
        }
        int left = then.size();
        if (left > 1) XcuteThreads.coarse("java.util.concurrent.CompletableFuture: of several dependents, the last one runs first");
        while (left > 0) then.get(--left).run();
        return true;
    }

    public boolean complete(T result) {
        return end(result, null);
    }

    public boolean completeExceptionally(Throwable thrown) {
        if (thrown == null) throw new NullPointerException();
        return end(null, thrown);
    }

    @Override
    public boolean cancel(boolean interrupts) {
        return end(null, new CancellationException()) || isCancelled();
    }

    public static <U> CompletableFuture<U> completedFuture(U value) {
        CompletableFuture<U> made = new CompletableFuture<>();
        made.end(value, null);
        return made;
    }

    public static <U> CompletableFuture<U> failedFuture(Throwable thrown) {
        CompletableFuture<U> made = new CompletableFuture<>();
        made.completeExceptionally(thrown);
        return made;
    }

    public static <U> CompletableFuture<U> supplyAsync(Supplier<U> supplier) {
        return supplyAsync(supplier, THREADS);
    }

    public static <U> CompletableFuture<U> supplyAsync(Supplier<U> supplier, Executor executor) {
        if (supplier == null) throw new NullPointerException();
        CompletableFuture<U> made = new CompletableFuture<>();
        executor.execute(() -> made.compute(supplier));
        return made;
    }

    public static CompletableFuture<Void> runAsync(Runnable task) {
        return runAsync(task, THREADS);
    }

    public static CompletableFuture<Void> runAsync(Runnable task, Executor executor) {
        if (task == null) throw new NullPointerException();
        return supplyAsync(() -> {
            task.run();
            return null;
        }, executor);
    }

    private void compute(Supplier<? extends T> supplier) {
        T result;
        try {
            result = supplier.get();
        } catch (Throwable thrown) {
            end(null, wrapped(thrown));
            return;
        }
        end(result, null);
    }

    private static Throwable wrapped(Throwable thrown) {
        return thrown == null || thrown instanceof CompletionException ? thrown : new CompletionException(thrown);
    }

    // Asking.

    @Override
    public boolean isDone() {
        synchronized (monitor) {
            return done;
        }
    }

    @Override
    public boolean isCancelled() {
        synchronized (monitor) {
            return failure instanceof CancellationException;
        }
    }

    public boolean isCompletedExceptionally() {
        synchronized (monitor) {
            return failure != null;
        }
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        synchronized (monitor) {
            waiting++;
            try {
                while (!done) monitor.wait();
            } finally {
                waiting--;
            }
            return report();
        }
    }

    @Override
    public T get(long time, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        synchronized (monitor) {
            if (!done && unit.toNanos(time) > 0) monitor.wait(1);
            if (!done) throw new TimeoutException();
            return report();
        }
    }

    private T report() throws ExecutionException {
        if (failure == null) return value;
        if (failure instanceof CancellationException) throw (CancellationException) failure;
        boolean inner = failure instanceof CompletionException && failure.getCause() != null;
        throw new ExecutionException(inner ? failure.getCause() : failure);
    }

    public T join() {
        synchronized (monitor) {
            waiting++;
            while (!done) XcuteThreads.awaitUninterruptibly(monitor, monitor);
            waiting--;
            return joined();
        }
    }

    public T getNow(T otherwise) {
        synchronized (monitor) {
            return done ? joined() : otherwise;
        }
    }

    private T joined() {
        if (failure == null) return value;
        if (failure instanceof CancellationException) throw (CancellationException) failure;
        throw (CompletionException) wrapped(failure);
    }

    // Stages. All of them come down to one: what happens when this one is done.

    /** Runs a task when this is done; at once, if it is already. */
    private void then(Executor executor, Runnable task) {
        Runnable dependent = executor == null ? task : () -> executor.execute(task);
        synchronized (monitor) {
            if (!done) {
                dependents.add(dependent);
                return;
            }
        }
        dependent.run();
    }

    private <U> CompletableFuture<U> after(Executor executor, BiFunction<? super T, Throwable, ? extends U> function) {
        CompletableFuture<U> made = new CompletableFuture<>();
        then(executor, () -> made.compute(() -> function.apply(value, failure)));
        return made;
    }

    /** What a stage does with a value; an exception is passed on. */
    private <U> CompletableFuture<U> value(Executor executor, Function<? super T, ? extends U> function) {
        if (function == null) throw new NullPointerException();
        CompletableFuture<U> made = new CompletableFuture<>();
        then(executor, () -> {
            if (failure != null) made.end(null, wrapped(failure));
            else made.compute(() -> function.apply(value));
        });
        return made;
    }

    private <U, V> CompletableFuture<V> both(
            Executor executor, CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> function) {
        CompletableFuture<V> made = new CompletableFuture<>();
        CompletableFuture<? extends U> second = other.toCompletableFuture();
        then(null, () -> second.then(executor, () -> {
            Throwable thrown = failure != null ? failure : second.failure;
            if (thrown != null) made.end(null, wrapped(thrown));
            else made.compute(() -> function.apply(value, second.value));
        }));
        return made;
    }

    private <U> CompletableFuture<U> either(Executor executor, CompletionStage<? extends T> other, Function<? super T, ? extends U> function) {
        CompletableFuture<T> first = new CompletableFuture<>();
        CompletableFuture<? extends T> second = other.toCompletableFuture();
        then(null, () -> first.end(value, failure));
        second.then(null, () -> first.end(second.value, second.failure));
        return first.value(executor, function);
    }

    private <U> CompletableFuture<U> composed(Executor executor, Function<? super T, ? extends CompletionStage<U>> function) {
        CompletableFuture<U> made = new CompletableFuture<>();
        then(executor, () -> {
            if (failure != null) {
                made.end(null, wrapped(failure));
                return;
            }
            CompletableFuture<U> inner;
            try {
                inner = function.apply(value).toCompletableFuture();
            } catch (Throwable thrown) {
                made.end(null, wrapped(thrown));
                return;
            }
            inner.then(null, () -> made.end(inner.value, wrapped(inner.failure)));
        });
        return made;
    }

    private CompletableFuture<T> watched(Executor executor, BiConsumer<? super T, ? super Throwable> action) {
        CompletableFuture<T> made = new CompletableFuture<>();
        then(executor, () -> {
            Throwable thrown = failure;
            try {
                action.accept(value, failure);
            } catch (Throwable own) {
                if (thrown == null) thrown = own;
            }
            made.end(value, wrapped(thrown));
        });
        return made;
    }

    @Override
    public CompletableFuture<T> exceptionally(Function<Throwable, ? extends T> function) {
        return after(null, (result, thrown) -> thrown == null ? result : function.apply(thrown));
    }

    @Override
    public CompletableFuture<T> toCompletableFuture() {
        return this;
    }

    public static CompletableFuture<Void> allOf(CompletableFuture<?>... all) {
        CompletableFuture<Void> made = completedFuture(null);
        for (CompletableFuture<?> one : all) made = made.both(null, one, (a, b) -> null);
        return made;
    }

    public static CompletableFuture<Object> anyOf(CompletableFuture<?>... all) {
        CompletableFuture<Object> made = new CompletableFuture<>();
        for (CompletableFuture<?> one : all) one.then(null, () -> made.end(one.value, wrapped(one.failure)));
        return made;
    }

    // The many names of the same.

    @Override
    public <U> CompletableFuture<U> thenApply(Function<? super T, ? extends U> function) {
        return value(null, function);
    }

    @Override
    public <U> CompletableFuture<U> thenApplyAsync(Function<? super T, ? extends U> function) {
        return value(THREADS, function);
    }

    @Override
    public <U> CompletableFuture<U> thenApplyAsync(Function<? super T, ? extends U> function, Executor executor) {
        return value(executor, function);
    }

    @Override
    public CompletableFuture<Void> thenAccept(Consumer<? super T> action) {
        return value(null, ignoring(action));
    }

    @Override
    public CompletableFuture<Void> thenAcceptAsync(Consumer<? super T> action) {
        return value(THREADS, ignoring(action));
    }

    @Override
    public CompletableFuture<Void> thenAcceptAsync(Consumer<? super T> action, Executor executor) {
        return value(executor, ignoring(action));
    }

    @Override
    public CompletableFuture<Void> thenRun(Runnable action) {
        return value(null, ignoring(action));
    }

    @Override
    public CompletableFuture<Void> thenRunAsync(Runnable action) {
        return value(THREADS, ignoring(action));
    }

    @Override
    public CompletableFuture<Void> thenRunAsync(Runnable action, Executor executor) {
        return value(executor, ignoring(action));
    }

    @Override
    public <U, V> CompletableFuture<V> thenCombine(CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> function) {
        return both(null, other, function);
    }

    @Override
    public <U, V> CompletableFuture<V> thenCombineAsync(CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> function) {
        return both(THREADS, other, function);
    }

    @Override
    public <U, V> CompletableFuture<V> thenCombineAsync(CompletionStage<? extends U> other, BiFunction<? super T, ? super U, ? extends V> function, Executor executor) {
        return both(executor, other, function);
    }

    @Override
    public <U> CompletableFuture<Void> thenAcceptBoth(CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> action) {
        return both(null, other, ignoring(action));
    }

    @Override
    public <U> CompletableFuture<Void> thenAcceptBothAsync(CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> action) {
        return both(THREADS, other, ignoring(action));
    }

    @Override
    public <U> CompletableFuture<Void> thenAcceptBothAsync(CompletionStage<? extends U> other, BiConsumer<? super T, ? super U> action, Executor executor) {
        return both(executor, other, ignoring(action));
    }

    @Override
    public CompletableFuture<Void> runAfterBoth(CompletionStage<?> other, Runnable action) {
        return both(null, other, (a, b) -> ignoring(action).apply(null));
    }

    @Override
    public CompletableFuture<Void> runAfterBothAsync(CompletionStage<?> other, Runnable action) {
        return both(THREADS, other, (a, b) -> ignoring(action).apply(null));
    }

    @Override
    public CompletableFuture<Void> runAfterBothAsync(CompletionStage<?> other, Runnable action, Executor executor) {
        return both(executor, other, (a, b) -> ignoring(action).apply(null));
    }

    @Override
    public <U> CompletableFuture<U> applyToEither(CompletionStage<? extends T> other, Function<? super T, U> function) {
        return either(null, other, function);
    }

    @Override
    public <U> CompletableFuture<U> applyToEitherAsync(CompletionStage<? extends T> other, Function<? super T, U> function) {
        return either(THREADS, other, function);
    }

    @Override
    public <U> CompletableFuture<U> applyToEitherAsync(CompletionStage<? extends T> other, Function<? super T, U> function, Executor executor) {
        return either(executor, other, function);
    }

    @Override
    public CompletableFuture<Void> acceptEither(CompletionStage<? extends T> other, Consumer<? super T> action) {
        return either(null, other, ignoring(action));
    }

    @Override
    public CompletableFuture<Void> acceptEitherAsync(CompletionStage<? extends T> other, Consumer<? super T> action) {
        return either(THREADS, other, ignoring(action));
    }

    @Override
    public CompletableFuture<Void> acceptEitherAsync(CompletionStage<? extends T> other, Consumer<? super T> action, Executor executor) {
        return either(executor, other, ignoring(action));
    }

    @Override
    public CompletableFuture<Void> runAfterEither(CompletionStage<?> other, Runnable action) {
        return this.<Object>value(null, x -> x).either(null, other, ignoring(action));
    }

    @Override
    public CompletableFuture<Void> runAfterEitherAsync(CompletionStage<?> other, Runnable action) {
        return this.<Object>value(null, x -> x).either(THREADS, other, ignoring(action));
    }

    @Override
    public CompletableFuture<Void> runAfterEitherAsync(CompletionStage<?> other, Runnable action, Executor executor) {
        return this.<Object>value(null, x -> x).either(executor, other, ignoring(action));
    }

    @Override
    public <U> CompletableFuture<U> thenCompose(Function<? super T, ? extends CompletionStage<U>> function) {
        return composed(null, function);
    }

    @Override
    public <U> CompletableFuture<U> thenComposeAsync(Function<? super T, ? extends CompletionStage<U>> function) {
        return composed(THREADS, function);
    }

    @Override
    public <U> CompletableFuture<U> thenComposeAsync(Function<? super T, ? extends CompletionStage<U>> function, Executor executor) {
        return composed(executor, function);
    }

    @Override
    public <U> CompletableFuture<U> handle(BiFunction<? super T, Throwable, ? extends U> function) {
        return after(null, function);
    }

    @Override
    public <U> CompletableFuture<U> handleAsync(BiFunction<? super T, Throwable, ? extends U> function) {
        return after(THREADS, function);
    }

    @Override
    public <U> CompletableFuture<U> handleAsync(BiFunction<? super T, Throwable, ? extends U> function, Executor executor) {
        return after(executor, function);
    }

    @Override
    public CompletableFuture<T> whenComplete(BiConsumer<? super T, ? super Throwable> action) {
        return watched(null, action);
    }

    @Override
    public CompletableFuture<T> whenCompleteAsync(BiConsumer<? super T, ? super Throwable> action) {
        return watched(THREADS, action);
    }

    @Override
    public CompletableFuture<T> whenCompleteAsync(BiConsumer<? super T, ? super Throwable> action, Executor executor) {
        return watched(executor, action);
    }

    // Times: they end at any moment from now on.

    private void later(TimeUnit unit, Runnable ends) {
        if (unit == null) throw new NullPointerException();
        synchronized (monitor) {
            if (done) return;
        }
        Thread timer = new Thread(ends);
        timer.setDaemon(true);
        timer.start();
    }

    public CompletableFuture<T> orTimeout(long time, TimeUnit unit) {
        later(unit, () -> end(null, new TimeoutException()));
        return this;
    }

    public CompletableFuture<T> completeOnTimeout(T result, long time, TimeUnit unit) {
        later(unit, () -> end(result, null));
        return this;
    }

    private static <A> Function<A, Void> ignoring(Consumer<? super A> action) {
        return argument -> {
            action.accept(argument);
            return null;
        };
    }

    private static <A> Function<A, Void> ignoring(Runnable action) {
        return argument -> {
            action.run();
            return null;
        };
    }

    private static <A, B> BiFunction<A, B, Void> ignoring(BiConsumer<? super A, ? super B> action) {
        return (first, second) -> {
            action.accept(first, second);
            return null;
        };
    }
}
