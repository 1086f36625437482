package java.util.concurrent.atomic;

import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/** As the JDK's; what changes an element is one operation for all threads. */
public class AtomicLongArray implements java.io.Serializable {
    private final long[] array;

    public AtomicLongArray(int length) {
        array = new long[length];
    }

    public AtomicLongArray(long[] from) {
        array = from.clone();
    }

    private static void check(long[] array, int index) {
        if (index < 0 || index >= array.length) {
            throw new ArrayIndexOutOfBoundsException("Index " + index + " out of bounds for length " + array.length);
        }
    }

    public final int length() {
        return array.length;
    }

    public final long get(int index) {
        long[] all = array;
        check(all, index);
        XcuteThreads.ordered();
        long value = all[index];
        XcuteThreads.plain();
        return value;
    }

    public final void set(int index, long next) {
        long[] all = array;
        check(all, index);
        XcuteThreads.ordered();
        all[index] = next;
        XcuteThreads.plain();
    }

    public final void lazySet(int index, long next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicLongArray.lazySet: its order is that of a volatile access");
        set(index, next);
    }

    public final long getPlain(int index) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicLongArray.getPlain: its order is that of a volatile access");
        return get(index);
    }

    public final void setPlain(int index, long next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicLongArray.setPlain: its order is that of a volatile access");
        set(index, next);
    }

    public final long getAcquire(int index) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicLongArray.getAcquire: its order is that of a volatile access");
        return get(index);
    }

    public final void setRelease(int index, long next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicLongArray.setRelease: its order is that of a volatile access");
        set(index, next);
    }

    public final long getAndSet(int index, long next) {
        long[] all = array;
        check(all, index);
        XcuteThreads.atomic();
        long old = all[index];
        all[index] = next;
        XcuteThreads.plain();
        return old;
    }

    public final boolean compareAndSet(int index, long expected, long next) {
        long[] all = array;
        check(all, index);
        XcuteThreads.atomic();
        boolean same = all[index] == expected;
        if (same) all[index] = next;
        XcuteThreads.plain();
        return same;
    }

    public final boolean weakCompareAndSet(int index, long expected, long next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicLongArray.weakCompareAndSet: that it fails without a reason is not followed");
        return compareAndSet(index, expected, next);
    }

    public final boolean weakCompareAndSetPlain(int index, long expected, long next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicLongArray.weakCompareAndSetPlain: that it fails without a reason is not followed");
        return compareAndSet(index, expected, next);
    }

    public final long getAndAdd(int index, long by) {
        long[] all = array;
        check(all, index);
        XcuteThreads.atomic();
        long old = all[index];
        all[index] = old + by;
        XcuteThreads.plain();
        return old;
    }

    public final long addAndGet(int index, long by) {
        return getAndAdd(index, by) + by;
    }

    public final long getAndIncrement(int index) {
        return getAndAdd(index, 1);
    }

    public final long incrementAndGet(int index) {
        return getAndAdd(index, 1) + 1;
    }

    public final long getAndDecrement(int index) {
        return getAndAdd(index, -1);
    }

    public final long decrementAndGet(int index) {
        return getAndAdd(index, -1) - 1;
    }

    public final long getAndUpdate(int index, LongUnaryOperator update) {
        while (true) {
            long old = get(index), next = update.applyAsLong(old);
            if (compareAndSet(index, old, next)) return old;
        }
    }

    public final long updateAndGet(int index, LongUnaryOperator update) {
        while (true) {
            long old = get(index), next = update.applyAsLong(old);
            if (compareAndSet(index, old, next)) return next;
        }
    }

    public final long getAndAccumulate(int index, long by, LongBinaryOperator update) {
        while (true) {
            long old = get(index), next = update.applyAsLong(old, by);
            if (compareAndSet(index, old, next)) return old;
        }
    }

    public final long accumulateAndGet(int index, long by, LongBinaryOperator update) {
        while (true) {
            long old = get(index), next = update.applyAsLong(old, by);
            if (compareAndSet(index, old, next)) return next;
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < length(); i++) text.append(i == 0 ? "" : ", ").append(get(i));
        return text.append(']').toString();
    }
}
