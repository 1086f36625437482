package java.util.concurrent.atomic;

import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

/** As the JDK's; what changes an element is one operation for all threads. */
public class AtomicIntegerArray implements java.io.Serializable {
    private final int[] array;

    public AtomicIntegerArray(int length) {
        array = new int[length];
    }

    public AtomicIntegerArray(int[] from) {
        array = from.clone();
    }

    private static void check(int[] array, int index) {
        if (index < 0 || index >= array.length) {
            throw new ArrayIndexOutOfBoundsException("Index " + index + " out of bounds for length " + array.length);
        }
    }

    public final int length() {
        return array.length;
    }

    public final int get(int index) {
        int[] all = array;
        check(all, index);
        XcuteThreads.ordered();
        int value = all[index];
        XcuteThreads.plain();
        return value;
    }

    public final void set(int index, int next) {
        int[] all = array;
        check(all, index);
        XcuteThreads.ordered();
        all[index] = next;
        XcuteThreads.plain();
    }

    public final void lazySet(int index, int next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicIntegerArray.lazySet: its order is that of a volatile access");
        set(index, next);
    }

    public final int getPlain(int index) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicIntegerArray.getPlain: its order is that of a volatile access");
        return get(index);
    }

    public final void setPlain(int index, int next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicIntegerArray.setPlain: its order is that of a volatile access");
        set(index, next);
    }

    public final int getAcquire(int index) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicIntegerArray.getAcquire: its order is that of a volatile access");
        return get(index);
    }

    public final void setRelease(int index, int next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicIntegerArray.setRelease: its order is that of a volatile access");
        set(index, next);
    }

    public final int getAndSet(int index, int next) {
        int[] all = array;
        check(all, index);
        XcuteThreads.atomic();
        int old = all[index];
        all[index] = next;
        XcuteThreads.plain();
        return old;
    }

    public final boolean compareAndSet(int index, int expected, int next) {
        int[] all = array;
        check(all, index);
        XcuteThreads.atomic();
        boolean same = all[index] == expected;
        if (same) all[index] = next;
        XcuteThreads.plain();
        return same;
    }

    public final boolean weakCompareAndSet(int index, int expected, int next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicIntegerArray.weakCompareAndSet: that it fails without a reason is not followed");
        return compareAndSet(index, expected, next);
    }

    public final boolean weakCompareAndSetPlain(int index, int expected, int next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicIntegerArray.weakCompareAndSetPlain: that it fails without a reason is not followed");
        return compareAndSet(index, expected, next);
    }

    public final int getAndAdd(int index, int by) {
        int[] all = array;
        check(all, index);
        XcuteThreads.atomic();
        int old = all[index];
        all[index] = old + by;
        XcuteThreads.plain();
        return old;
    }

    public final int addAndGet(int index, int by) {
        return getAndAdd(index, by) + by;
    }

    public final int getAndIncrement(int index) {
        return getAndAdd(index, 1);
    }

    public final int incrementAndGet(int index) {
        return getAndAdd(index, 1) + 1;
    }

    public final int getAndDecrement(int index) {
        return getAndAdd(index, -1);
    }

    public final int decrementAndGet(int index) {
        return getAndAdd(index, -1) - 1;
    }

    public final int getAndUpdate(int index, IntUnaryOperator update) {
        while (true) {
            int old = get(index), next = update.applyAsInt(old);
            if (compareAndSet(index, old, next)) return old;
        }
    }

    public final int updateAndGet(int index, IntUnaryOperator update) {
        while (true) {
            int old = get(index), next = update.applyAsInt(old);
            if (compareAndSet(index, old, next)) return next;
        }
    }

    public final int getAndAccumulate(int index, int by, IntBinaryOperator update) {
        while (true) {
            int old = get(index), next = update.applyAsInt(old, by);
            if (compareAndSet(index, old, next)) return old;
        }
    }

    public final int accumulateAndGet(int index, int by, IntBinaryOperator update) {
        while (true) {
            int old = get(index), next = update.applyAsInt(old, by);
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
