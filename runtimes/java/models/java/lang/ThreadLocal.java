package java.lang;

import java.util.function.Supplier;

/**
 * As the JDK's, with the values in a list of their own: an entry is its thread's alone. That the list is shared is nobody's business, so its accesses are not
 * operations that other threads see.
 */
public class ThreadLocal<T> {
    /** The value of a thread, and the entries that were made before. */
    static final class Value {
        final Thread thread;
        final Value next;
        Object value;
        boolean set;

        Value(Thread thread, Value next) {
            this.thread = thread;
            this.next = next;
        }
    }

    private static final class Supplied<S> extends ThreadLocal<S> {
        private final Supplier<? extends S> supplier;

        Supplied(Supplier<? extends S> supplier) {
            if (supplier == null) throw new NullPointerException();
            this.supplier = supplier;
        }

        @Override
        protected S initialValue() {
            return supplier.get();
        }
    }

    Value values;

    public ThreadLocal() {}

    public static <S> ThreadLocal<S> withInitial(Supplier<? extends S> supplier) {
        return new Supplied<>(supplier);
    }

    protected T initialValue() {
        return null;
    }

    private Value found(Thread self) {
        Value value = values;
        while (value != null && value.thread != self) value = value.next;
        return value;
    }

    @SuppressWarnings("unchecked")
    public T get() {
        Value found = found(Thread.currentThread());
        if (found != null && found.set) return (T) found.value;
        T first = first();
        set(first);
        return first;
    }

    /** What a thread without a value gets. */
    T first() {
        return initialValue();
    }

    public void set(T value) {
        Thread self = Thread.currentThread();
        Value found = found(self);
        if (found == null) values = found = new Value(self, values);
        found.value = value;
        found.set = true;
    }

    public void remove() {
        Value found = found(Thread.currentThread());
        if (found == null) return;
        found.value = null;
        found.set = false;
    }
}
