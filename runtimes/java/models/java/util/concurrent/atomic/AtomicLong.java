package java.util.concurrent.atomic;

import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/** As the JDK's; what changes the value is one operation for all threads. */
public class AtomicLong extends Number implements java.io.Serializable {
    private volatile long value;

    public AtomicLong() {}

    public AtomicLong(long initial) {
        value = initial;
    }

    public final long get() {
        return value;
    }

    public final void set(long next) {
        value = next;
    }

    public final void lazySet(long next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicLong.lazySet: its order is that of a volatile access");
        value = next;
    }

    public final long getPlain() {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicLong.getPlain: its order is that of a volatile access");
        return value;
    }

    public final void setPlain(long next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicLong.setPlain: its order is that of a volatile access");
        value = next;
    }

    public final long getAcquire() {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicLong.getAcquire: its order is that of a volatile access");
        return value;
    }

    public final void setRelease(long next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicLong.setRelease: its order is that of a volatile access");
        value = next;
    }

    public final long getAndSet(long next) {
        XcuteThreads.atomic();
        long old = value;
        value = next;
        XcuteThreads.plain();
        return old;
    }

    public final boolean compareAndSet(long expected, long next) {
        XcuteThreads.atomic();
        boolean same = value == expected;
        if (same) value = next;
        else XcuteThreads.unchanged();
        XcuteThreads.plain();
        return same;
    }

    public final boolean weakCompareAndSet(long expected, long next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicLong.weakCompareAndSet: that it fails without a reason is not followed");
        return compareAndSet(expected, next);
    }

    public final boolean weakCompareAndSetPlain(long expected, long next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicLong.weakCompareAndSetPlain: that it fails without a reason is not followed");
        return compareAndSet(expected, next);
    }

    public final long getAndAdd(long by) {
        XcuteThreads.atomic();
        long old = value;
        value = old + by;
        XcuteThreads.plain();
        return old;
    }

    public final long addAndGet(long by) {
        return getAndAdd(by) + by;
    }

    public final long getAndIncrement() {
        return getAndAdd(1);
    }

    public final long incrementAndGet() {
        return getAndAdd(1) + 1;
    }

    public final long getAndDecrement() {
        return getAndAdd(-1);
    }

    public final long decrementAndGet() {
        return getAndAdd(-1) - 1;
    }

    public final long getAndUpdate(LongUnaryOperator update) {
        while (true) {
            long old = value, next = update.applyAsLong(old);
            if (compareAndSet(old, next)) return old;
        }
    }

    public final long updateAndGet(LongUnaryOperator update) {
        while (true) {
            long old = value, next = update.applyAsLong(old);
            if (compareAndSet(old, next)) return next;
        }
    }

    public final long getAndAccumulate(long by, LongBinaryOperator update) {
        while (true) {
            long old = value, next = update.applyAsLong(old, by);
            if (compareAndSet(old, next)) return old;
        }
    }

    public final long accumulateAndGet(long by, LongBinaryOperator update) {
        while (true) {
            long old = value, next = update.applyAsLong(old, by);
            if (compareAndSet(old, next)) return next;
        }
    }

    @Override
    public int intValue() {
        return (int) value;
    }

    @Override
    public long longValue() {
        return value;
    }

    @Override
    public float floatValue() {
        return value;
    }

    @Override
    public double doubleValue() {
        return value;
    }

    @Override
    public String toString() {
        return String.valueOf(value);
    }

    public final long getOpaque() {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicLong.getOpaque: its order is that of a volatile access");
        return value;
    }

    public final void setOpaque(long next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicLong.setOpaque: its order is that of a volatile access");
        value = next;
    }

    public final boolean weakCompareAndSetVolatile(long expected, long next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicLong.weakCompareAndSetVolatile: that it fails without a reason is not followed");
        return compareAndSet(expected, next);
    }

    public final boolean weakCompareAndSetAcquire(long expected, long next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicLong.weakCompareAndSetAcquire: that it fails without a reason is not followed");
        return compareAndSet(expected, next);
    }

    public final boolean weakCompareAndSetRelease(long expected, long next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicLong.weakCompareAndSetRelease: that it fails without a reason is not followed");
        return compareAndSet(expected, next);
    }

    public final long compareAndExchange(long expected, long next) {
        XcuteThreads.atomic();
        long old = value;
        if (old == expected) value = next;
        XcuteThreads.plain();
        return old;
    }

    public final long compareAndExchangeAcquire(long expected, long next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicLong.compareAndExchangeAcquire: its order is that of a volatile access");
        return compareAndExchange(expected, next);
    }

    public final long compareAndExchangeRelease(long expected, long next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicLong.compareAndExchangeRelease: its order is that of a volatile access");
        return compareAndExchange(expected, next);
    }
}
