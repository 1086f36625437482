package java.util.concurrent.atomic;

import java.lang.invoke.VarHandle;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

/** As the JDK's, by the handle of the field. */
public class AtomicIntegerFieldUpdater<T> {
    private final VarHandle field;

    private AtomicIntegerFieldUpdater(VarHandle field) {
        this.field = field;
    }

    public static <U> AtomicIntegerFieldUpdater<U> of(VarHandle field) {
        return new AtomicIntegerFieldUpdater<>(field);
    }

    public int get(T object) {
        return VarHandle.toInt(field.getVolatile(object, 0));
    }

    public void set(T object, int next) {
        field.setVolatile(object, 0, next);
    }

    public void lazySet(T object, int next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicIntegerFieldUpdater.lazySet: its order is that of a volatile access");
        set(object, next);
    }

    public boolean compareAndSet(T object, int expected, int next) {
        return field.compareAndSet(object, 0, expected, next);
    }

    public boolean weakCompareAndSet(T object, int expected, int next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicIntegerFieldUpdater.weakCompareAndSet: that it fails without a reason is not followed");
        return compareAndSet(object, expected, next);
    }

    public int getAndSet(T object, int next) {
        return VarHandle.toInt(field.getAndSet(object, 0, next));
    }

    public int getAndAdd(T object, int by) {
        return VarHandle.toInt(field.getAndAdd(object, 0, by));
    }

    public int addAndGet(T object, int by) {
        return getAndAdd(object, by) + by;
    }

    public int getAndIncrement(T object) {
        return getAndAdd(object, 1);
    }

    public int incrementAndGet(T object) {
        return getAndAdd(object, 1) + 1;
    }

    public int getAndDecrement(T object) {
        return getAndAdd(object, -1);
    }

    public int decrementAndGet(T object) {
        return getAndAdd(object, -1) - 1;
    }

    public final int getAndUpdate(T object, IntUnaryOperator update) {
        while (true) {
            int old = get(object), next = update.applyAsInt(old);
            if (compareAndSet(object, old, next)) return old;
        }
    }

    public final int updateAndGet(T object, IntUnaryOperator update) {
        while (true) {
            int old = get(object), next = update.applyAsInt(old);
            if (compareAndSet(object, old, next)) return next;
        }
    }

    public final int getAndAccumulate(T object, int by, IntBinaryOperator update) {
        while (true) {
            int old = get(object), next = update.applyAsInt(old, by);
            if (compareAndSet(object, old, next)) return old;
        }
    }

    public final int accumulateAndGet(T object, int by, IntBinaryOperator update) {
        while (true) {
            int old = get(object), next = update.applyAsInt(old, by);
            if (compareAndSet(object, old, next)) return next;
        }
    }
}
