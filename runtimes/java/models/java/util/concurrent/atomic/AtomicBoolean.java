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
        value = next;
    }

    public final boolean getAndSet(boolean next) {
        XcuteThreads.atomic();
        boolean old = value;
        value = next;
        XcuteThreads.plain();
        return old;
    }

    public final boolean compareAndSet(boolean expected, boolean next) {
        XcuteThreads.atomic();
        boolean same = value == expected;
        if (same) value = next;
        XcuteThreads.plain();
        return same;
    }

    @Override
    public String toString() {
        return String.valueOf(value);
    }
}
