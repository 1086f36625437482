package java.util;

import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Methods of {@link Optional} and its like that are followed because they are written in Java: each has the object as its first argument. These classes cannot be
 * copied where streams return them. What they hold the replay knows: {@code of}, {@code get} and {@code isPresent} are all that is left to the JDK.
 */
public final class XcuteOptional {
    private static final String NONE = "No value present";

    private XcuteOptional() {}

    public static Optional<?> map(Optional<?> object, Function<Object, Object> function) {
        boolean present = object.isPresent();
        Objects.requireNonNull(function);
        return present ? Optional.ofNullable(function.apply(object.get())) : object;
    }

    public static Optional<?> flatMap(Optional<?> object, Function<Object, Optional<?>> function) {
        boolean present = object.isPresent();
        Objects.requireNonNull(function);
        return present ? Objects.requireNonNull(function.apply(object.get())) : object;
    }

    public static Optional<?> filter(Optional<?> object, Predicate<Object> predicate) {
        boolean present = object.isPresent();
        Objects.requireNonNull(predicate);
        return !present || predicate.test(object.get()) ? object : Optional.empty();
    }

    public static Optional<?> or(Optional<?> object, Supplier<Optional<?>> supplier) {
        boolean present = object.isPresent();
        Objects.requireNonNull(supplier);
        return present ? object : Objects.requireNonNull(supplier.get());
    }

    public static void ifPresent(Optional<?> object, Consumer<Object> action) {
        if (object.isPresent()) action.accept(object.get());
    }

    public static void ifPresentOrElse(Optional<?> object, Consumer<Object> action, Runnable otherwise) {
        if (object.isPresent()) action.accept(object.get());
        else otherwise.run();
    }

    public static Object orElse(Optional<?> object, Object other) {
        return object.isPresent() ? object.get() : other;
    }

    public static Object orElseGet(Optional<?> object, Supplier<Object> supplier) {
        return object.isPresent() ? object.get() : supplier.get();
    }

    public static Object orElseThrow(Optional<?> object) {
        if (!object.isPresent()) throw new NoSuchElementException(NONE);
        return object.get();
    }

    public static Object orElseThrow(Optional<?> object, Supplier<Throwable> supplier) throws Throwable {
        if (!object.isPresent()) throw supplier.get();
        return object.get();
    }

    public static boolean equals(Optional<?> object, Object other) {
        boolean present = object.isPresent();
        if (object == other) return true;
        if (!(other instanceof Optional<?> optional) || present != optional.isPresent()) return false;
        return !present || object.get().equals(optional.get());
    }

    public static int hashCode(Optional<?> object) {
        return object.isPresent() ? object.get().hashCode() : 0;
    }

    public static String toString(Optional<?> object) {
        return object.isPresent() ? "Optional[" + object.get() + "]" : "Optional.empty";
    }

    public static void ifPresent(OptionalInt object, IntConsumer action) {
        if (object.isPresent()) action.accept(object.getAsInt());
    }

    public static int orElse(OptionalInt object, int other) {
        return object.isPresent() ? object.getAsInt() : other;
    }

    public static int orElseGet(OptionalInt object, IntSupplier supplier) {
        return object.isPresent() ? object.getAsInt() : supplier.getAsInt();
    }

    public static int orElseThrow(OptionalInt object) {
        if (!object.isPresent()) throw new NoSuchElementException(NONE);
        return object.getAsInt();
    }

    public static int orElseThrow(OptionalInt object, Supplier<Throwable> supplier) throws Throwable {
        if (!object.isPresent()) throw supplier.get();
        return object.getAsInt();
    }

    public static void ifPresent(OptionalLong object, LongConsumer action) {
        if (object.isPresent()) action.accept(object.getAsLong());
    }

    public static long orElse(OptionalLong object, long other) {
        return object.isPresent() ? object.getAsLong() : other;
    }

    public static long orElseGet(OptionalLong object, LongSupplier supplier) {
        return object.isPresent() ? object.getAsLong() : supplier.getAsLong();
    }

    public static long orElseThrow(OptionalLong object) {
        if (!object.isPresent()) throw new NoSuchElementException(NONE);
        return object.getAsLong();
    }

    public static long orElseThrow(OptionalLong object, Supplier<Throwable> supplier) throws Throwable {
        if (!object.isPresent()) throw supplier.get();
        return object.getAsLong();
    }

    public static void ifPresent(OptionalDouble object, DoubleConsumer action) {
        if (object.isPresent()) action.accept(object.getAsDouble());
    }

    public static double orElse(OptionalDouble object, double other) {
        return object.isPresent() ? object.getAsDouble() : other;
    }

    public static double orElseGet(OptionalDouble object, DoubleSupplier supplier) {
        return object.isPresent() ? object.getAsDouble() : supplier.getAsDouble();
    }

    public static double orElseThrow(OptionalDouble object) {
        if (!object.isPresent()) throw new NoSuchElementException(NONE);
        return object.getAsDouble();
    }

    public static double orElseThrow(OptionalDouble object, Supplier<Throwable> supplier) throws Throwable {
        if (!object.isPresent()) throw supplier.get();
        return object.getAsDouble();
    }
}
