package java.util.concurrent.atomic;

/**
 * As the JDK's, with one cell. Nobody can see how many there are, unless somebody asks for the sum while others add: then each of those may count or not, whatever
 * the order in which they came, and the search is not complete.
 */
public class LongAdder extends Number implements java.io.Serializable {
    /** What the sum was since some change. */
    private static final class Sum {
        final long value;
        /** It is being reset. */
        final boolean leaving;

        Sum(long value, boolean leaving) {
            this.value = value;
            this.leaving = leaving;
        }
    }

    private volatile Sum sum = new Sum(0, false);

    public LongAdder() {}

    private Sum change(long by, boolean leaving) {
        XcuteThreads.atomic();
        Sum old = sum;
        sum = new Sum(old.value + by, leaving || old.leaving);
        XcuteThreads.plain();
        return old;
    }

    public void add(long by) {
        Sum old = change(by, false);
        if (old.leaving) XcuteThreads.coarse("java.util.concurrent.atomic.LongAdder.reset while others add");
    }

    public void increment() {
        add(1);
    }

    public void decrement() {
        add(-1);
    }

    public long sum() {
        Sum before = sum, after = sum;
        if (before != after || before.leaving) XcuteThreads.coarse("java.util.concurrent.atomic.LongAdder.sum while others add");
        return before.value;
    }

    public void reset() {
        sumThenReset();
    }

    public long sumThenReset() {
        change(0, true);
        XcuteThreads.atomic();
        Sum old = sum;
        sum = new Sum(0, false);
        XcuteThreads.plain();
        return old.value;
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
