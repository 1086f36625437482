package java.lang;

/** As the JDK's, where no thread has a value that another one could inherit. */
public class InheritableThreadLocal<T> extends ThreadLocal<T> {
    public InheritableThreadLocal() {}

    protected T childValue(T value) {
        return value;
    }

    @Override
    T first() {
        Thread self = Thread.currentThread();
        boolean others = false;
        for (Value value = values; value != null; value = value.next) others |= value.thread != self;
        if (others) throw XcuteThreads.unsupported("java.lang.InheritableThreadLocal: what a thread inherits is not followed");
        return initialValue();
    }
}
