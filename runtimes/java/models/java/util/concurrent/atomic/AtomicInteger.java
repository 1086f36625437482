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
        value = next;
    }

    public final int getPlain() {
        return value;
    }

    public final void setPlain(int next) {
        value = next;
    }

    public final int getAcquire() {
        return value;
    }

    public final void setRelease(int next) {
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
        XcuteThreads.plain();
        return same;
    }

    public final boolean weakCompareAndSet(int expected, int next) {
        return compareAndSet(expected, next);
    }

    public final boolean weakCompareAndSetPlain(int expected, int next) {
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
        return value;
    }

    public final void setOpaque(int next) {
        value = next;
    }

    public final boolean weakCompareAndSetVolatile(int expected, int next) {
        return compareAndSet(expected, next);
    }

    public final boolean weakCompareAndSetAcquire(int expected, int next) {
        return compareAndSet(expected, next);
    }

    public final boolean weakCompareAndSetRelease(int expected, int next) {
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
        return compareAndExchange(expected, next);
    }

    public final int compareAndExchangeRelease(int expected, int next) {
        return compareAndExchange(expected, next);
    }
}
