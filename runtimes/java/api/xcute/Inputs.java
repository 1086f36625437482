package xcute;

import cute.Input;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.Map;
import java.util.Optional;

/** The inputs of a case that is repeated, in the order in which the program takes them; zero where there are none. */
public final class Inputs implements Input {
    static long[] slots = {};
    static Object[] objects = {};
    static int next;
    private static final int KINDS = 9;

    /** The next input, as a value of a kind. */
    public static long next(int kind) {
        int slot = next++ * KINDS + kind;
        return slot < slots.length ? slots[slot] : 0;
    }

    /** The next input, which is an object. */
    public static Object object() {
        int number = (int) next(8);
        return number == 0 ? null : objects[number - 1];
    }

    /** The next input, as a value of a type. */
    static Object value(Class<?> type) {
        if (!type.isPrimitive()) return made(type, object());
        switch (type.descriptorString().charAt(0)) {
            case 'Z': return next(0) != 0;
            case 'B': return (byte) next(1);
            case 'C': return (char) next(2);
            case 'S': return (short) next(3);
            case 'I': return (int) next(4);
            case 'J': return next(5);
            case 'F': return Float.intBitsToFloat((int) next(6));
            default: return Double.longBitsToDouble(next(7));
        }
    }

    /** What is made of an input, as a parameter of a type of the JDK; or the input itself. */
    private static Object made(Class<?> type, Object of) {
        switch (type.getName()) {
            case "java.lang.Iterable":
            case "java.util.Collection":
            case "java.util.List":
            case "java.util.ArrayList": return of == null ? null : new ArrayList<>(Arrays.asList((Object[]) of));
            case "java.util.Queue":
            case "java.util.Deque":
            case "java.util.LinkedList": return of == null ? null : new LinkedList<>(Arrays.asList((Object[]) of));
            case "java.util.Set":
            case "java.util.HashSet":
            case "java.util.LinkedHashSet": return of == null ? null : new LinkedHashSet<>(Arrays.asList((Object[]) of));
            case "java.util.Map":
            case "java.util.HashMap":
            case "java.util.LinkedHashMap": return map((Object[]) of, (Object[]) object());
            case "java.lang.StringBuilder": return of == null ? null : new StringBuilder((String) of);
            case "java.lang.StringBuffer": return of == null ? null : new StringBuffer((String) of);
            case "java.util.Optional": return Optional.ofNullable(of);
            case "java.util.function.Function": return Tables.function((Object[]) of);
            case "java.util.function.BiFunction": return Tables.biFunction((Object[]) of);
            case "java.util.function.UnaryOperator": return Tables.unaryOperator((Object[]) of);
            case "java.util.function.BinaryOperator": return Tables.binaryOperator((Object[]) of);
            case "java.util.function.Supplier": return Tables.supplier((Object[]) of);
            case "java.util.concurrent.Callable": return Tables.callable((Object[]) of);
            case "java.util.function.Predicate": return Tables.predicate((boolean[]) of);
            case "java.util.function.BiPredicate": return Tables.biPredicate((boolean[]) of);
            case "java.util.function.BooleanSupplier": return Tables.booleanSupplier((boolean[]) of);
            case "java.util.function.IntPredicate": return Tables.intPredicate((boolean[]) of);
            case "java.util.function.IntFunction": return Tables.intFunction((Object[]) of);
            case "java.util.function.IntUnaryOperator": return Tables.intUnaryOperator((int[]) of);
            case "java.util.function.IntBinaryOperator": return Tables.intBinaryOperator((int[]) of);
            case "java.util.function.IntSupplier": return Tables.intSupplier((int[]) of);
            case "java.util.function.ToIntFunction": return Tables.toIntFunction((int[]) of);
            case "java.util.function.ToLongFunction": return Tables.toLongFunction((long[]) of);
            case "java.util.function.ToDoubleFunction": return Tables.toDoubleFunction((double[]) of);
            case "java.util.Comparator": return Tables.comparator((int[]) of);
            case "java.util.function.Consumer": return Tables.consumer((boolean[]) of);
            case "java.util.function.BiConsumer": return Tables.biConsumer((boolean[]) of);
            case "java.lang.Runnable": return Tables.runnable((boolean[]) of);
            default: return of;
        }
    }

    /** How many inputs a value of a type is made of. */
    static int width(Class<?> type) {
        return type == Map.class || type == HashMap.class || type == LinkedHashMap.class ? 2 : 1;
    }

    private static Object map(Object[] keys, Object[] values) {
        if (keys == null) return null;
        LinkedHashMap<Object, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keys.length; i++) map.put(keys[i], values != null && i < values.length ? values[i] : null);
        return map;
    }

    /** An assumption does not hold. */
    public static void reject() {
        Replay.stop("rejected\0");
    }

    /** An assertion does not hold. */
    public static void fail() {
        Replay.stop(Ordered.told(new AssertionError("Cute.Assert"), "asserted"));
    }

    @Override
    public boolean Boolean() {
        return next(0) != 0;
    }

    @Override
    public byte Byte() {
        return (byte) next(1);
    }

    @Override
    public char Character() {
        return (char) next(2);
    }

    @Override
    public short Short() {
        return (short) next(3);
    }

    @Override
    public int Integer() {
        return (int) next(4);
    }

    @Override
    public long Long() {
        return next(5);
    }

    @Override
    public float Float() {
        return Float.intBitsToFloat((int) next(6));
    }

    @Override
    public double Double() {
        return Double.longBitsToDouble(next(7));
    }

    @Override
    public Object Object(String type) {
        return object();
    }

    @Override
    public Object ObjectShallow(String type) {
        return object();
    }
}
