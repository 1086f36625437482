package java.lang.invoke;

/**
 * As the JDK's, for fields that the program names and for elements. Values come and go in boxes; the methods that take the places of calls convert them.
 *
 * <p>What changes a value is one operation for all threads. Every mode but the plain one is volatile here, which a search that meets a weaker one says.
 */
public abstract class VarHandle {
    private final Class<?> owner;
    private final String name;
    private final boolean needsBase;
    /** The type of the variable, as descriptors write it: its first letter. */
    private final int kind;
    /** The field is volatile. */
    private final boolean ordered;

    protected VarHandle(Class<?> owner, String name, boolean isStatic, int kind) {
        this.owner = owner;
        this.name = name;
        this.needsBase = !isStatic;
        this.kind = kind & 255;
        ordered = kind > 255;
    }

    protected abstract Object read(Object base, int index);

    protected abstract void write(Object base, int index, Object value);

    /** How many elements there are; less than 0 where the array is of another type. */
    int length(Object base) {
        return 0;
    }

    // Finding one.

    /** The candidate, if it is the one that is looked for; or what was found before. */
    public static VarHandle chosen(VarHandle found, Class<?> owner, String name, VarHandle candidate) {
        return found == null && candidate.owner == owner && candidate.name.equals(name) ? candidate : found;
    }

    public static VarHandle known(VarHandle found) {
        if (found == null) throw XcuteThreads.unsupported("a VarHandle or an updater of a field that its class does not name");
        return found;
    }

    public static VarHandle arrayElementVarHandle(Class<?> array) {
        if (array == int[].class) return new Ints();
        if (array == long[].class) return new Longs();
        if (array == boolean[].class) return new Booleans();
        if (array == byte[].class) return new Bytes();
        if (array == char[].class) return new Chars();
        if (array == short[].class) return new Shorts();
        if (array == float[].class) return new Floats();
        if (array == double[].class) return new Doubles();
        if (array == null) throw new NullPointerException();
        if (!array.isArray()) throw new IllegalArgumentException("not an array type: " + array);
        return new Objects(array);
    }

    // Types.

    public static int toInt(Object value) {
        if (value instanceof Integer) return (Integer) value;
        if (value instanceof Short) return (Short) value;
        if (value instanceof Character) return (Character) value;
        return (Byte) value;
    }

    public static long toLong(Object value) {
        return value instanceof Long ? (Long) value : toInt(value);
    }

    public static float toFloat(Object value) {
        return value instanceof Float ? (Float) value : toLong(value);
    }

    public static double toDouble(Object value) {
        return value instanceof Double ? (Double) value : toFloat(value);
    }

    public static short toShort(Object value) {
        return value instanceof Short ? (Short) value : (Byte) value;
    }

    /** A value of the type of the variable. */
    private Object fitting(Object value) {
        switch (kind) {
            case 'I':
                return value instanceof Integer ? value : Integer.valueOf(toInt(value));
            case 'J':
                return value instanceof Long ? value : Long.valueOf(toLong(value));
            case 'F':
                return value instanceof Float ? value : Float.valueOf(toFloat(value));
            case 'D':
                return value instanceof Double ? value : Double.valueOf(toDouble(value));
            case 'S':
                return value instanceof Short ? value : Short.valueOf(toShort(value));
            default:
                return value;
        }
    }

    /** Floating-point numbers are compared by their bits, which is what boxes do. */
    private boolean same(Object a, Object b) {
        return kind == 'L' ? a == b : a.equals(b);
    }

    private Object sum(Object a, Object b) {
        switch (kind) {
            case 'I':
                return (Integer) a + (Integer) b;
            case 'J':
                return (Long) a + (Long) b;
            case 'S':
                return (short) ((Short) a + (Short) b);
            case 'B':
                return (byte) ((Byte) a + (Byte) b);
            case 'C':
                return (char) ((Character) a + (Character) b);
            case 'F':
                return (Float) a + (Float) b;
            case 'D':
                return (Double) a + (Double) b;
            default:
                throw new UnsupportedOperationException();
        }
    }

    private static final int OR = 0;
    private static final int AND = 1;
    private static final int XOR = 2;

    private static long bits(long a, long b, int how) {
        return how == OR ? a | b : how == AND ? a & b : a ^ b;
    }

    private Object bits(Object a, Object b, int how) {
        switch (kind) {
            case 'I':
                return (int) bits((Integer) a, (Integer) b, how);
            case 'J':
                return bits((long) (Long) a, (long) (Long) b, how);
            case 'S':
                return (short) bits((Short) a, (Short) b, how);
            case 'B':
                return (byte) bits((Byte) a, (Byte) b, how);
            case 'C':
                return (char) bits((Character) a, (Character) b, how);
            case 'Z':
                return bits((Boolean) a ? 1 : 0, (Boolean) b ? 1 : 0, how) != 0;
            default:
                throw new UnsupportedOperationException();
        }
    }

    // Access. What can throw does so before an operation begins.

    private void check(Object base, int index) {
        if (!needsBase) return;
        if (base == null) throw new NullPointerException();
        int length = name == null ? length(base) : 0;
        if (length < 0 || name != null && !owner.isInstance(base)) {
            throw new ClassCastException("Cannot cast " + base.getClass().getName() + " to " + owner.getName());
        }
        if (name != null) return;
        if (index < 0 || index >= length) {
            throw new ArrayIndexOutOfBoundsException("Index " + index + " out of bounds for length " + length);
        }
    }

    public final Object get(Object base, int index) {
        check(base, index);
        if (ordered) weaker();
        return read(base, index);
    }

    public final void set(Object base, int index, Object value) {
        check(base, index);
        if (ordered) weaker();
        write(base, index, fitting(value));
    }

    public final Object getVolatile(Object base, int index) {
        check(base, index);
        XcuteThreads.ordered();
        Object value = read(base, index);
        XcuteThreads.plain();
        return value;
    }

    public final void setVolatile(Object base, int index, Object value) {
        check(base, index);
        Object fits = fitting(value);
        XcuteThreads.ordered();
        write(base, index, fits);
        XcuteThreads.plain();
    }

    public final boolean compareAndSet(Object base, int index, Object expected, Object value) {
        return same(compareAndExchange(base, index, expected, value), fitting(expected));
    }

    public final Object compareAndExchange(Object base, int index, Object expected, Object value) {
        check(base, index);
        Object wanted = fitting(expected), fits = fitting(value);
        XcuteThreads.atomic();
        Object old = read(base, index);
        if (same(old, wanted)) write(base, index, fits);
        XcuteThreads.plain();
        return old;
    }

    public final Object getAndSet(Object base, int index, Object value) {
        check(base, index);
        Object fits = fitting(value);
        XcuteThreads.atomic();
        Object old = read(base, index);
        write(base, index, fits);
        XcuteThreads.plain();
        return old;
    }

    public final Object getAndAdd(Object base, int index, Object value) {
        check(base, index);
        Object fits = fitting(value);
        if (kind == 'L' || kind == 'Z') throw new UnsupportedOperationException();
        XcuteThreads.atomic();
        Object old = read(base, index);
        write(base, index, sum(old, fits));
        XcuteThreads.plain();
        return old;
    }

    public final Object getAndBitwiseOr(Object base, int index, Object value) {
        return bitwise(base, index, value, OR);
    }

    public final Object getAndBitwiseAnd(Object base, int index, Object value) {
        return bitwise(base, index, value, AND);
    }

    public final Object getAndBitwiseXor(Object base, int index, Object value) {
        return bitwise(base, index, value, XOR);
    }

    private Object bitwise(Object base, int index, Object value, int how) {
        check(base, index);
        Object fits = fitting(value);
        if (kind == 'L' || kind == 'F' || kind == 'D') throw new UnsupportedOperationException();
        XcuteThreads.atomic();
        Object old = read(base, index);
        write(base, index, bits(old, fits, how));
        XcuteThreads.plain();
        return old;
    }

    // Orders that are weaker than volatile.

    private static void weaker() {
        XcuteThreads.coarseForThreads("java.lang.invoke.VarHandle: orders that are weaker than volatile count as volatile");
    }

    public final Object getWeakly(Object base, int index) {
        weaker();
        return getVolatile(base, index);
    }

    public final void setWeakly(Object base, int index, Object value) {
        weaker();
        setVolatile(base, index, value);
    }

    public final boolean compareAndSetWeakly(Object base, int index, Object expected, Object value) {
        XcuteThreads.coarse("java.lang.invoke.VarHandle.weakCompareAndSet: that it fails without a reason is not followed");
        return compareAndSet(base, index, expected, value);
    }

    public final Object compareAndExchangeWeakly(Object base, int index, Object expected, Object value) {
        weaker();
        return compareAndExchange(base, index, expected, value);
    }

    public final Object getAndSetWeakly(Object base, int index, Object value) {
        weaker();
        return getAndSet(base, index, value);
    }

    public final Object getAndAddWeakly(Object base, int index, Object value) {
        weaker();
        return getAndAdd(base, index, value);
    }

    public final Object getAndBitwiseOrWeakly(Object base, int index, Object value) {
        weaker();
        return getAndBitwiseOr(base, index, value);
    }

    public final Object getAndBitwiseAndWeakly(Object base, int index, Object value) {
        weaker();
        return getAndBitwiseAnd(base, index, value);
    }

    public final Object getAndBitwiseXorWeakly(Object base, int index, Object value) {
        weaker();
        return getAndBitwiseXor(base, index, value);
    }

    public static void fullFence() {}

    public static void acquireFence() {}

    public static void releaseFence() {}

    public static void loadLoadFence() {}

    public static void storeStoreFence() {}

    private static final class Ints extends VarHandle {
        Ints() {
            super(int[].class, null, false, 'I');
        }

        @Override
        protected Object read(Object base, int index) {
            return ((int[]) base)[index];
        }

        @Override
        int length(Object base) {
            return base instanceof int[] ? ((int[]) base).length : -1;
        }

        @Override
        protected void write(Object base, int index, Object value) {
            ((int[]) base)[index] = (Integer) value;
        }
    }

    private static final class Longs extends VarHandle {
        Longs() {
            super(long[].class, null, false, 'J');
        }

        @Override
        protected Object read(Object base, int index) {
            return ((long[]) base)[index];
        }

        @Override
        int length(Object base) {
            return base instanceof long[] ? ((long[]) base).length : -1;
        }

        @Override
        protected void write(Object base, int index, Object value) {
            ((long[]) base)[index] = (Long) value;
        }
    }

    private static final class Booleans extends VarHandle {
        Booleans() {
            super(boolean[].class, null, false, 'Z');
        }

        @Override
        protected Object read(Object base, int index) {
            return ((boolean[]) base)[index];
        }

        @Override
        int length(Object base) {
            return base instanceof boolean[] ? ((boolean[]) base).length : -1;
        }

        @Override
        protected void write(Object base, int index, Object value) {
            ((boolean[]) base)[index] = (Boolean) value;
        }
    }

    private static final class Bytes extends VarHandle {
        Bytes() {
            super(byte[].class, null, false, 'B');
        }

        @Override
        protected Object read(Object base, int index) {
            return ((byte[]) base)[index];
        }

        @Override
        int length(Object base) {
            return base instanceof byte[] ? ((byte[]) base).length : -1;
        }

        @Override
        protected void write(Object base, int index, Object value) {
            ((byte[]) base)[index] = (Byte) value;
        }
    }

    private static final class Chars extends VarHandle {
        Chars() {
            super(char[].class, null, false, 'C');
        }

        @Override
        protected Object read(Object base, int index) {
            return ((char[]) base)[index];
        }

        @Override
        int length(Object base) {
            return base instanceof char[] ? ((char[]) base).length : -1;
        }

        @Override
        protected void write(Object base, int index, Object value) {
            ((char[]) base)[index] = (Character) value;
        }
    }

    private static final class Shorts extends VarHandle {
        Shorts() {
            super(short[].class, null, false, 'S');
        }

        @Override
        protected Object read(Object base, int index) {
            return ((short[]) base)[index];
        }

        @Override
        int length(Object base) {
            return base instanceof short[] ? ((short[]) base).length : -1;
        }

        @Override
        protected void write(Object base, int index, Object value) {
            ((short[]) base)[index] = (Short) value;
        }
    }

    private static final class Floats extends VarHandle {
        Floats() {
            super(float[].class, null, false, 'F');
        }

        @Override
        protected Object read(Object base, int index) {
            return ((float[]) base)[index];
        }

        @Override
        int length(Object base) {
            return base instanceof float[] ? ((float[]) base).length : -1;
        }

        @Override
        protected void write(Object base, int index, Object value) {
            ((float[]) base)[index] = (Float) value;
        }
    }

    private static final class Doubles extends VarHandle {
        Doubles() {
            super(double[].class, null, false, 'D');
        }

        @Override
        protected Object read(Object base, int index) {
            return ((double[]) base)[index];
        }

        @Override
        int length(Object base) {
            return base instanceof double[] ? ((double[]) base).length : -1;
        }

        @Override
        protected void write(Object base, int index, Object value) {
            ((double[]) base)[index] = (Double) value;
        }
    }

    private static final class Objects extends VarHandle {
        Objects(Class<?> array) {
            super(array, null, false, 'L');
        }

        @Override
        protected Object read(Object base, int index) {
            return ((Object[]) base)[index];
        }

        @Override
        int length(Object base) {
            return base instanceof Object[] ? ((Object[]) base).length : -1;
        }

        @Override
        protected void write(Object base, int index, Object value) {
            ((Object[]) base)[index] = value;
        }
    }
}
