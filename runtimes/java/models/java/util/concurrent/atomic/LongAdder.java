package java.util.concurrent.atomic;

/** As the JDK's, with one cell: nobody can see how many there are. */
public class LongAdder extends Number implements java.io.Serializable {
    private final AtomicLong value = new AtomicLong();

    public LongAdder() {}

    public void add(long by) {
        value.getAndAdd(by);
    }

    public void increment() {
        add(1);
    }

    public void decrement() {
        add(-1);
    }

    public long sum() {
        return value.get();
    }

    public void reset() {
        value.set(0);
    }

    public long sumThenReset() {
        return value.getAndSet(0);
    }

    @Override
    public String toString() {
        return Long.toString(sum());
    }

    @Override
    public long longValue() {
        return sum();
    }

    @Override
    public int intValue() {
        return (int) sum();
    }

    @Override
    public float floatValue() {
        return sum();
    }

    @Override
    public double doubleValue() {
        return sum();
    }
}
