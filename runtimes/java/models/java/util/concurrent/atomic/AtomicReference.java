package java.util.concurrent.atomic;

import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/** As the JDK's; what changes the value is one operation for all threads. */
public class AtomicReference<V> implements java.io.Serializable {
    private volatile V value;

    public AtomicReference() {}

    public AtomicReference(V initial) {
        value = initial;
    }

    public final V get() {
        return value;
    }

    public final void set(V next) {
        value = next;
    }

    public final void lazySet(V next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicReference.lazySet: its order is that of a volatile access");
        value = next;
    }

    public final V getAndSet(V next) {
        XcuteThreads.atomic();
        V old = value;
        value = next;
        XcuteThreads.plain();
        return old;
    }

    public final boolean compareAndSet(V expected, V next) {
        XcuteThreads.atomic();
        boolean same = value == expected;
        if (same) value = next;
        else XcuteThreads.unchanged();
        XcuteThreads.plain();
        return same;
    }

    public final V getAndUpdate(UnaryOperator<V> update) {
        while (true) {
            V old = value, next = update.apply(old);
            if (compareAndSet(old, next)) return old;
        }
    }

    public final V updateAndGet(UnaryOperator<V> update) {
        while (true) {
            V old = value, next = update.apply(old);
            if (compareAndSet(old, next)) return next;
        }
    }

    public final V accumulateAndGet(V by, BinaryOperator<V> update) {
        while (true) {
            V old = value, next = update.apply(old, by);
            if (compareAndSet(old, next)) return next;
        }
    }

    public final V getOpaque() {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicReference.getOpaque: its order is that of a volatile access");
        return value;
    }

    public final void setOpaque(V next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicReference.setOpaque: its order is that of a volatile access");
        value = next;
    }

    public final V getPlain() {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicReference.getPlain: its order is that of a volatile access");
        return value;
    }

    public final void setPlain(V next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicReference.setPlain: its order is that of a volatile access");
        value = next;
    }

    public final V getAcquire() {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicReference.getAcquire: its order is that of a volatile access");
        return value;
    }

    public final void setRelease(V next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicReference.setRelease: its order is that of a volatile access");
        value = next;
    }

    public final boolean weakCompareAndSet(V expected, V next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicReference.weakCompareAndSet: that it fails without a reason is not followed");
        return compareAndSet(expected, next);
    }

    public final boolean weakCompareAndSetPlain(V expected, V next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicReference.weakCompareAndSetPlain: that it fails without a reason is not followed");
        return compareAndSet(expected, next);
    }

    public final boolean weakCompareAndSetVolatile(V expected, V next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicReference.weakCompareAndSetVolatile: that it fails without a reason is not followed");
        return compareAndSet(expected, next);
    }

    public final boolean weakCompareAndSetAcquire(V expected, V next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicReference.weakCompareAndSetAcquire: that it fails without a reason is not followed");
        return compareAndSet(expected, next);
    }

    public final boolean weakCompareAndSetRelease(V expected, V next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicReference.weakCompareAndSetRelease: that it fails without a reason is not followed");
        return compareAndSet(expected, next);
    }

    public final V compareAndExchange(V expected, V next) {
        XcuteThreads.atomic();
        V old = value;
        if (old == expected) value = next;
        XcuteThreads.plain();
        return old;
    }

    public final V compareAndExchangeAcquire(V expected, V next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicReference.compareAndExchangeAcquire: its order is that of a volatile access");
        return compareAndExchange(expected, next);
    }

    public final V compareAndExchangeRelease(V expected, V next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicReference.compareAndExchangeRelease: its order is that of a volatile access");
        return compareAndExchange(expected, next);
    }

    public final V getAndAccumulate(V by, BinaryOperator<V> update) {
        while (true) {
            V old = value, next = update.apply(old, by);
            if (compareAndSet(old, next)) return old;
        }
    }

    @Override
    public String toString() {
        return String.valueOf(value);
    }
}
