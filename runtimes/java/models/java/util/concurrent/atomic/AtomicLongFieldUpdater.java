package java.util.concurrent.atomic;

import java.lang.invoke.VarHandle;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/** As the JDK's, by the handle of the field. */
public class AtomicLongFieldUpdater<T> {
    private final VarHandle field;

    private AtomicLongFieldUpdater(VarHandle field) {
        this.field = field;
    }

    public static <U> AtomicLongFieldUpdater<U> of(VarHandle field) {
        return new AtomicLongFieldUpdater<>(field);
    }

    public long get(T object) {
        return VarHandle.toLong(field.getVolatile(object, 0));
    }

    public void set(T object, long next) {
        field.setVolatile(object, 0, next);
    }

    public void lazySet(T object, long next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicLongFieldUpdater.lazySet: its order is that of a volatile access");
        set(object, next);
    }

    public boolean compareAndSet(T object, long expected, long next) {
        return field.compareAndSet(object, 0, expected, next);
    }

    public boolean weakCompareAndSet(T object, long expected, long next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicLongFieldUpdater.weakCompareAndSet: that it fails without a reason is not followed");
        return compareAndSet(object, expected, next);
    }

    public long getAndSet(T object, long next) {
        return VarHandle.toLong(field.getAndSet(object, 0, next));
    }

    public long getAndAdd(T object, long by) {
        return VarHandle.toLong(field.getAndAdd(object, 0, by));
    }

    public long addAndGet(T object, long by) {
        return getAndAdd(object, by) + by;
    }

    public long getAndIncrement(T object) {
        return getAndAdd(object, 1);
    }

    public long incrementAndGet(T object) {
        return getAndAdd(object, 1) + 1;
    }

    public long getAndDecrement(T object) {
        return getAndAdd(object, -1);
    }

    public long decrementAndGet(T object) {
        return getAndAdd(object, -1) - 1;
    }

    public final long getAndUpdate(T object, LongUnaryOperator update) {
        while (true) {
            long old = get(object), next = update.applyAsLong(old);
            if (compareAndSet(object, old, next)) return old;
        }
    }

    public final long updateAndGet(T object, LongUnaryOperator update) {
        while (true) {
            long old = get(object), next = update.applyAsLong(old);
            if (compareAndSet(object, old, next)) return next;
        }
    }

    public final long getAndAccumulate(T object, long by, LongBinaryOperator update) {
        while (true) {
            long old = get(object), next = update.applyAsLong(old, by);
            if (compareAndSet(object, old, next)) return old;
        }
    }

    public final long accumulateAndGet(T object, long by, LongBinaryOperator update) {
        while (true) {
            long old = get(object), next = update.applyAsLong(old, by);
            if (compareAndSet(object, old, next)) return next;
        }
    }
}
