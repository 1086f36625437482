package xcute;

import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.function.*;

/**
 * Functions that a method gets as parameters: tables. The first argument that is asked for gets the first result, the next different one the second, and so on;
 * after the last result there is no other one, and where there is none at all, it is null, zero or false.
 *
 * <p>A comparator is a table of ranks. What returns nothing does nothing.
 */
public final class Tables {
    /** The arguments that were asked for. */
    private static final class Asked {
        private Object[] keys = new Object[8];
        private int count;

        /** The place of the result for these arguments; -1 where there is none. */
        int place(Object one, Object other, int length) {
            int at = 0;
            while (at < count && !(same(keys[at], one) && same(keys[at + 1], other))) at += 2;
            if (at == count) {
                if (count == keys.length) {
                    Object[] more = new Object[2 * count];
                    for (int i = 0; i < count; i++) more[i] = keys[i];
                    keys = more;
                }
                keys[count++] = one;
                keys[count++] = other;
            }
            return at / 2 < length ? at / 2 : length - 1;
        }

        private static boolean same(Object one, Object other) {
            if (one == other) return true;
            boolean value = one instanceof String || one instanceof Number || one instanceof Character || one instanceof Boolean;
            return value && one.equals(other);
        }

        Object of(Object[] results, Object one, Object other) {
            int place = place(one, other, results.length);
            return place < 0 ? null : results[place];
        }

        boolean of(boolean[] results, Object one, Object other) {
            int place = place(one, other, results.length);
            return place >= 0 && results[place];
        }

        int of(int[] results, Object one, Object other) {
            int place = place(one, other, results.length);
            return place < 0 ? 0 : results[place];
        }

        long of(long[] results, Object one, Object other) {
            int place = place(one, other, results.length);
            return place < 0 ? 0 : results[place];
        }

        double of(double[] results, Object one, Object other) {
            int place = place(one, other, results.length);
            return place < 0 ? 0 : results[place];
        }
    }

    private Tables() {}

    public static Function<Object, Object> function(Object[] results) {
        if (results == null) return null;
        Asked asked = new Asked();
        return x -> asked.of(results, x, null);
    }

    public static BiFunction<Object, Object, Object> biFunction(Object[] results) {
        if (results == null) return null;
        Asked asked = new Asked();
        return (x, y) -> asked.of(results, x, y);
    }

    public static UnaryOperator<Object> unaryOperator(Object[] results) {
        if (results == null) return null;
        Asked asked = new Asked();
        return x -> asked.of(results, x, null);
    }

    public static BinaryOperator<Object> binaryOperator(Object[] results) {
        if (results == null) return null;
        Asked asked = new Asked();
        return (x, y) -> asked.of(results, x, y);
    }

    public static Supplier<Object> supplier(Object[] results) {
        if (results == null) return null;
        Asked asked = new Asked();
        return () -> asked.of(results, null, null);
    }

    public static Callable<Object> callable(Object[] results) {
        if (results == null) return null;
        Asked asked = new Asked();
        return () -> asked.of(results, null, null);
    }

    public static Predicate<Object> predicate(boolean[] results) {
        if (results == null) return null;
        Asked asked = new Asked();
        return x -> asked.of(results, x, null);
    }

    public static BiPredicate<Object, Object> biPredicate(boolean[] results) {
        if (results == null) return null;
        Asked asked = new Asked();
        return (x, y) -> asked.of(results, x, y);
    }

    public static BooleanSupplier booleanSupplier(boolean[] results) {
        if (results == null) return null;
        Asked asked = new Asked();
        return () -> asked.of(results, null, null);
    }

    public static IntPredicate intPredicate(boolean[] results) {
        if (results == null) return null;
        Asked asked = new Asked();
        return x -> asked.of(results, x, null);
    }

    public static IntFunction<Object> intFunction(Object[] results) {
        if (results == null) return null;
        Asked asked = new Asked();
        return x -> asked.of(results, x, null);
    }

    public static IntUnaryOperator intUnaryOperator(int[] results) {
        if (results == null) return null;
        Asked asked = new Asked();
        return x -> asked.of(results, x, null);
    }

    public static IntBinaryOperator intBinaryOperator(int[] results) {
        if (results == null) return null;
        Asked asked = new Asked();
        return (x, y) -> asked.of(results, x, y);
    }

    public static IntSupplier intSupplier(int[] results) {
        if (results == null) return null;
        Asked asked = new Asked();
        return () -> asked.of(results, null, null);
    }

    public static ToIntFunction<Object> toIntFunction(int[] results) {
        if (results == null) return null;
        Asked asked = new Asked();
        return x -> asked.of(results, x, null);
    }

    public static ToLongFunction<Object> toLongFunction(long[] results) {
        if (results == null) return null;
        Asked asked = new Asked();
        return x -> asked.of(results, x, null);
    }

    public static ToDoubleFunction<Object> toDoubleFunction(double[] results) {
        if (results == null) return null;
        Asked asked = new Asked();
        return x -> asked.of(results, x, null);
    }

    public static Comparator<Object> comparator(int[] results) {
        if (results == null) return null;
        Asked asked = new Asked();
        return (x, y) -> Integer.compare(asked.of(results, x, null), asked.of(results, y, null));
    }

    public static Consumer<Object> consumer(boolean[] results) {
        return results == null ? null : x -> {};
    }

    public static BiConsumer<Object, Object> biConsumer(boolean[] results) {
        return results == null ? null : (x, y) -> {};
    }

    public static Runnable runnable(boolean[] results) {
        return results == null ? null : () -> {};
    }
}
