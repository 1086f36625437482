package java.util.concurrent.atomic;

/** As the JDK's; what changes the value is one operation for all threads. */
public class AtomicBoolean implements java.io.Serializable {
    private volatile boolean value;

    public AtomicBoolean() {}

    public AtomicBoolean(boolean initial) {
        value = initial;
    }

    public final boolean get() {
        return value;
    }

    public final void set(boolean next) {
        value = next;
    }

    public final void lazySet(boolean next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicBoolean.lazySet: its order is that of a volatile access");
        value = next;
    }

    public final boolean getAndSet(boolean next) {
        XcuteThreads.atomic();
        boolean old = value;
        value = next;
        if (old == next) XcuteThreads.unchanged();
        XcuteThreads.plain();
        return old;
    }

    public final boolean compareAndSet(boolean expected, boolean next) {
        XcuteThreads.atomic();
        boolean same = value == expected;
        if (same) value = next;
        else XcuteThreads.unchanged();
        XcuteThreads.plain();
        return same;
    }

    public final boolean getPlain() {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicBoolean.getPlain: its order is that of a volatile access");
        return value;
    }

    public final boolean getOpaque() {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicBoolean.getOpaque: its order is that of a volatile access");
        return value;
    }

    public final boolean getAcquire() {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicBoolean.getAcquire: its order is that of a volatile access");
        return value;
    }

    public final void setPlain(boolean next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicBoolean.setPlain: its order is that of a volatile access");
        value = next;
    }

    public final void setOpaque(boolean next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicBoolean.setOpaque: its order is that of a volatile access");
        value = next;
    }

    public final void setRelease(boolean next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicBoolean.setRelease: its order is that of a volatile access");
        value = next;
    }

    public boolean weakCompareAndSet(boolean expected, boolean next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicBoolean.weakCompareAndSet: that it fails without a reason is not followed");
        return compareAndSet(expected, next);
    }

    public boolean weakCompareAndSetPlain(boolean expected, boolean next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicBoolean.weakCompareAndSetPlain: that it fails without a reason is not followed");
        return compareAndSet(expected, next);
    }

    public final boolean weakCompareAndSetVolatile(boolean expected, boolean next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicBoolean.weakCompareAndSetVolatile: that it fails without a reason is not followed");
        return compareAndSet(expected, next);
    }

    public final boolean weakCompareAndSetAcquire(boolean expected, boolean next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicBoolean.weakCompareAndSetAcquire: that it fails without a reason is not followed");
        return compareAndSet(expected, next);
    }

    public final boolean weakCompareAndSetRelease(boolean expected, boolean next) {
        XcuteThreads.coarse("java.util.concurrent.atomic.AtomicBoolean.weakCompareAndSetRelease: that it fails without a reason is not followed");
        return compareAndSet(expected, next);
    }

    public final boolean compareAndExchange(boolean expected, boolean next) {
        XcuteThreads.atomic();
        boolean old = value;
        if (old == expected) value = next;
        XcuteThreads.plain();
        return old;
    }

    public final boolean compareAndExchangeAcquire(boolean expected, boolean next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicBoolean.compareAndExchangeAcquire: its order is that of a volatile access");
        return compareAndExchange(expected, next);
    }

    public final boolean compareAndExchangeRelease(boolean expected, boolean next) {
        XcuteThreads.coarseForThreads("java.util.concurrent.atomic.AtomicBoolean.compareAndExchangeRelease: its order is that of a volatile access");
        return compareAndExchange(expected, next);
    }

    @Override
    public String toString() {
        return String.valueOf(value);
    }
}
