package java.util.concurrent.atomic;

import java.lang.invoke.VarHandle;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/** As the JDK's, by the handle of the field. */
public class AtomicReferenceFieldUpdater<T, V> {
    private final VarHandle field;

    private AtomicReferenceFieldUpdater(VarHandle field) {
        this.field = field;
    }

    public static <U, W> AtomicReferenceFieldUpdater<U, W> of(VarHandle field) {
        return new AtomicReferenceFieldUpdater<>(field);
    }

    @SuppressWarnings("unchecked")
    public V get(T object) {
        return (V) field.getVolatile(object, 0);
    }

    public void set(T object, V next) {
        field.setVolatile(object, 0, next);
    }

    public void lazySet(T object, V next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicReferenceFieldUpdater.lazySet: its order is that of a volatile access");
        set(object, next);
    }

    public boolean compareAndSet(T object, V expected, V next) {
        return field.compareAndSet(object, 0, expected, next);
    }

    public boolean weakCompareAndSet(T object, V expected, V next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicReferenceFieldUpdater.weakCompareAndSet: that it fails without a reason is not followed");
        return compareAndSet(object, expected, next);
    }

    @SuppressWarnings("unchecked")
    public V getAndSet(T object, V next) {
        return (V) field.getAndSet(object, 0, next);
    }

    public final V getAndUpdate(T object, UnaryOperator<V> update) {
        while (true) {
            V old = get(object), next = update.apply(old);
            if (compareAndSet(object, old, next)) return old;
        }
    }

    public final V updateAndGet(T object, UnaryOperator<V> update) {
        while (true) {
            V old = get(object), next = update.apply(old);
            if (compareAndSet(object, old, next)) return next;
        }
    }

    public final V getAndAccumulate(T object, V by, BinaryOperator<V> update) {
        while (true) {
            V old = get(object), next = update.apply(old, by);
            if (compareAndSet(object, old, next)) return old;
        }
    }

    public final V accumulateAndGet(T object, V by, BinaryOperator<V> update) {
        while (true) {
            V old = get(object), next = update.apply(old, by);
            if (compareAndSet(object, old, next)) return next;
        }
    }
}
