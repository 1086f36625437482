package java.util.concurrent.atomic;

import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;

/** As the JDK's; what changes an element is one operation for all threads. */
public class AtomicReferenceArray<E> implements java.io.Serializable {
    private final Object[] array;

    public AtomicReferenceArray(int length) {
        array = new Object[length];
    }

    public AtomicReferenceArray(E[] from) {
        array = java.util.Arrays.copyOf(from, from.length, Object[].class);
    }

    private static void check(Object[] array, int index) {
        if (index < 0 || index >= array.length) {
            throw new ArrayIndexOutOfBoundsException("Index " + index + " out of bounds for length " + array.length);
        }
    }

    public final int length() {
        return array.length;
    }

    @SuppressWarnings("unchecked")
    public final E get(int index) {
        Object[] all = array;
        check(all, index);
        XcuteThreads.ordered();
        Object value = all[index];
        XcuteThreads.plain();
        return (E) value;
    }

    public final void set(int index, E next) {
        Object[] all = array;
        check(all, index);
        XcuteThreads.ordered();
        all[index] = next;
        XcuteThreads.plain();
    }

    public final void lazySet(int index, E next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicReferenceArray.lazySet: its order is that of a volatile access");
        set(index, next);
    }

    @SuppressWarnings("unchecked")
    public final E getAndSet(int index, E next) {
        Object[] all = array;
        check(all, index);
        XcuteThreads.atomic();
        Object old = all[index];
        all[index] = next;
        XcuteThreads.plain();
        return (E) old;
    }

    public final boolean compareAndSet(int index, E expected, E next) {
        Object[] all = array;
        check(all, index);
        XcuteThreads.atomic();
        boolean same = all[index] == expected;
        if (same) all[index] = next;
        XcuteThreads.plain();
        return same;
    }

    public final boolean weakCompareAndSet(int index, E expected, E next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicReferenceArray.weakCompareAndSet: that it fails without a reason is not followed");
        return compareAndSet(index, expected, next);
    }

    public final E getAndUpdate(int index, UnaryOperator<E> update) {
        while (true) {
            E old = get(index), next = update.apply(old);
            if (compareAndSet(index, old, next)) return old;
        }
    }

    public final E updateAndGet(int index, UnaryOperator<E> update) {
        while (true) {
            E old = get(index), next = update.apply(old);
            if (compareAndSet(index, old, next)) return next;
        }
    }

    public final E getAndAccumulate(int index, E by, BinaryOperator<E> update) {
        while (true) {
            E old = get(index), next = update.apply(old, by);
            if (compareAndSet(index, old, next)) return old;
        }
    }

    public final E accumulateAndGet(int index, E by, BinaryOperator<E> update) {
        while (true) {
            E old = get(index), next = update.apply(old, by);
            if (compareAndSet(index, old, next)) return next;
        }
    }
}
