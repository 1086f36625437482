package java.util.concurrent.atomic;

import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

/** As the JDK's; what changes the value is one operation for all threads. */
public class AtomicInteger extends Number implements java.io.Serializable {
    private volatile int value;

    public AtomicInteger() {}

    public AtomicInteger(int initial) {
        value = initial;
    }

    public final int get() {
        return value;
    }

    public final void set(int next) {
        value = next;
    }

    public final void lazySet(int next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicInteger.lazySet: its order is that of a volatile access");
        value = next;
    }

    public final int getPlain() {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicInteger.getPlain: its order is that of a volatile access");
        return value;
    }

    public final void setPlain(int next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicInteger.setPlain: its order is that of a volatile access");
        value = next;
    }

    public final int getAcquire() {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicInteger.getAcquire: its order is that of a volatile access");
        return value;
    }

    public final void setRelease(int next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicInteger.setRelease: its order is that of a volatile access");
        value = next;
    }

    public final int getAndSet(int next) {
        XcuteThreads.atomic();
        int old = value;
        value = next;
        XcuteThreads.plain();
        return old;
    }

    public final boolean compareAndSet(int expected, int next) {
        XcuteThreads.atomic();
        boolean same = value == expected;
        if (same) value = next;
        else XcuteThreads.unchanged();
        XcuteThreads.plain();
        return same;
    }

    public final boolean weakCompareAndSet(int expected, int next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicInteger.weakCompareAndSet: that it fails without a reason is not followed");
        return compareAndSet(expected, next);
    }

    public final boolean weakCompareAndSetPlain(int expected, int next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicInteger.weakCompareAndSetPlain: that it fails without a reason is not followed");
        return compareAndSet(expected, next);
    }

    public final int getAndAdd(int by) {
        XcuteThreads.atomic();
        int old = value;
        value = old + by;
        XcuteThreads.plain();
        return old;
    }

    public final int addAndGet(int by) {
        return getAndAdd(by) + by;
    }

    public final int getAndIncrement() {
        return getAndAdd(1);
    }

    public final int incrementAndGet() {
        return getAndAdd(1) + 1;
    }

    public final int getAndDecrement() {
        return getAndAdd(-1);
    }

    public final int decrementAndGet() {
        return getAndAdd(-1) - 1;
    }

    public final int getAndUpdate(IntUnaryOperator update) {
        while (true) {
            int old = value, next = update.applyAsInt(old);
            if (compareAndSet(old, next)) return old;
        }
    }

    public final int updateAndGet(IntUnaryOperator update) {
        while (true) {
            int old = value, next = update.applyAsInt(old);
            if (compareAndSet(old, next)) return next;
        }
    }

    public final int getAndAccumulate(int by, IntBinaryOperator update) {
        while (true) {
            int old = value, next = update.applyAsInt(old, by);
            if (compareAndSet(old, next)) return old;
        }
    }

    public final int accumulateAndGet(int by, IntBinaryOperator update) {
        while (true) {
            int old = value, next = update.applyAsInt(old, by);
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

    public final int getOpaque() {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicInteger.getOpaque: its order is that of a volatile access");
        return value;
    }

    public final void setOpaque(int next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicInteger.setOpaque: its order is that of a volatile access");
        value = next;
    }

    public final boolean weakCompareAndSetVolatile(int expected, int next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicInteger.weakCompareAndSetVolatile: that it fails without a reason is not followed");
        return compareAndSet(expected, next);
    }

    public final boolean weakCompareAndSetAcquire(int expected, int next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicInteger.weakCompareAndSetAcquire: that it fails without a reason is not followed");
        return compareAndSet(expected, next);
    }

    public final boolean weakCompareAndSetRelease(int expected, int next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicInteger.weakCompareAndSetRelease: that it fails without a reason is not followed");
        return compareAndSet(expected, next);
    }

    public final int compareAndExchange(int expected, int next) {
        XcuteThreads.atomic();
        int old = value;
        if (old == expected) value = next;
        XcuteThreads.plain();
        return old;
    }

    public final int compareAndExchangeAcquire(int expected, int next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicInteger.compareAndExchangeAcquire: its order is that of a volatile access");
        return compareAndExchange(expected, next);
    }

    public final int compareAndExchangeRelease(int expected, int next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicInteger.compareAndExchangeRelease: its order is that of a volatile access");
        return compareAndExchange(expected, next);
    }
}
