package java.lang;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import jdk.internal.misc.Unsafe;

/**
 * What static fields held, and all that they led to, when the initialisers of their classes were done. To write it back is much quicker than to load the classes again.
 *
 * <p>Of an object that several initialisers lead to, what the first one left counts. A class that leads to something whose state is not known here cannot be
 * restored; it is loaded again.
 */
public final class XcuteStatics {
    private static final Unsafe U = Unsafe.getUnsafe();
    /** Cells that are kept at most. */
    private static final int MOST = 100_000;
    /** Classes of the JDK whose objects do not change, or have nothing that a program could see change. */
    private static final java.util.Set<String> CONSTANT = java.util.Set.of(
            "java.lang.String", "java.lang.Class", "java.lang.Object", "java.lang.Integer", "java.lang.Long", "java.lang.Short", "java.lang.Byte",
            "java.lang.Character", "java.lang.Boolean", "java.lang.Float", "java.lang.Double", "java.math.BigInteger", "java.math.BigDecimal",
            "java.util.Locale", "java.nio.charset.Charset", "jdk.internal.misc.Unsafe", "java.io.PrintStream", "java.time.Duration",
            "java.io.ObjectStreamField", "java.util.concurrent.TimeUnit");
    /** And those that are as simple as the program's own. */
    private static final java.util.Set<String> SIMPLE = java.util.Set.of(
            "java.lang.StringBuilder", "java.lang.StringBuffer", "java.lang.AbstractStringBuilder", "java.lang.Enum");

    /** Offsets of fields, with the sizes of those that are numbers. */
    private record Layout(long[] numbers, byte[] sizes, long[] references) {}

    /** What an object, or the static fields of a class, held; of an array, a copy of it. */
    private record Kept(Object of, Layout layout, long[] numbers, Object[] references, Object copy) {}

    /** Initialisers that are running, and classes whose initialisers are done, but inside of another one. */
    private static int depth;
    private static boolean old;
    /** Initialisers that began in this run. */
    private static int started;
    private static final List<Class<?>> DONE = new ArrayList<>();

    private final XcuteStatics parent;
    private final HashMap<Class<?>, Layout> layouts = new HashMap<>();
    private final IdentityHashMap<Object, Kept> kept = new IdentityHashMap<>();
    private final List<Kept> all = new ArrayList<>();
    /** The classes, and how many of them have been looked at. */
    private final List<Class<?>> loaded = new ArrayList<>();
    private int looked;
    private final HashSet<Class<?>> begun = new HashSet<>();
    /** Static fields of classes without an initialiser: at first they are 0. */
    private final HashMap<Class<?>, Kept> blank = new HashMap<>();
    private boolean impossible;
    private int cells;

    XcuteStatics(XcuteStatics parent) {
        this.parent = parent;
    }

    private static XcuteStatics of(Class<?> type) {
        return ((XcuteLoader) type.getClassLoader()).statics;
    }

    /** A class was loaded. */
    void loaded(Class<?> type) {
        loaded.add(type);
    }

    /** The initialiser of a class begins. */
    public static void begins(Class<?> type) {
        of(type).begun.add(type);
        depth++;
        started++;
    }

    /** It has returned. */
    public static void ends(Class<?> type) {
        depth--;
        DONE.add(type);
        if (depth > 0) return;
        for (Class<?> done : DONE) of(done).initialised(done);
        DONE.clear();
    }

    /** It has failed. */
    public static void fails(Class<?> type) {
        depth--;
        of(type).impossible = true;
    }

    /** An initialiser that cannot say whose it is: of a class for an old JVM. */
    public static void unknown() {
        old = true;
    }

    /** A run begins: no initialiser is running. */
    static void begin() {
        depth = started = 0;
        DONE.clear();
    }

    static int begun() {
        return started;
    }

    private void initialised(Class<?> type) {
        if (impossible) return;
        try {
            keep(type);
        } catch (Throwable t) {
            impossible = true;
        }
    }

    /** Whether everything can be written back. */
    boolean possible() {
        try {
            for (; looked < loaded.size() && !impossible; looked++) {
                Class<?> type = loaded.get(looked);
                Layout layout = statics(type);
                if (layout.numbers.length + layout.references.length == 0) continue;
                blank.put(type, new Kept(base(type), layout, new long[layout.numbers.length], new Object[layout.references.length], null));
            }
        } catch (Throwable t) {
            impossible = true;
        }
        return !impossible && !old;
    }

    /** Writes everything back. */
    void restore() {
        if (!blank.isEmpty()) {
            blank.keySet().removeAll(begun);
            for (Kept fields : blank.values()) write(fields);
        }
        for (Kept one : all) write(one);
    }

    private static void write(Kept one) {
        Object of = one.of;
        if (one.copy != null) {
            System.arraycopy(one.copy, 0, of, 0, java.lang.reflect.Array.getLength(of));
            return;
        }
        Layout layout = one.layout;
        for (int i = 0; i < layout.numbers.length; i++) {
            long at = layout.numbers[i], value = one.numbers[i];
            switch (layout.sizes[i]) {
                case 1 -> U.putByte(of, at, (byte) value);
                case 2 -> U.putShort(of, at, (short) value);
                case 4 -> U.putInt(of, at, (int) value);
                default -> U.putLong(of, at, value);
            }
        }
        for (int i = 0; i < layout.references.length; i++) U.putReference(of, layout.references[i], one.references[i]);
    }

    private Kept read(Object of, Layout layout) {
        long[] numbers = new long[layout.numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            long at = layout.numbers[i];
            numbers[i] = switch (layout.sizes[i]) {
                case 1 -> U.getByte(of, at);
                case 2 -> U.getShort(of, at);
                case 4 -> U.getInt(of, at);
                default -> U.getLong(of, at);
            };
        }
        Object[] references = new Object[layout.references.length];
        for (int i = 0; i < references.length; i++) references[i] = U.getReference(of, layout.references[i]);
        return new Kept(of, layout, numbers, references, null);
    }

    /** Keeps the static fields of a class, and all objects that they lead to. */
    private void keep(Class<?> type) {
        ArrayDeque<Object> open = new ArrayDeque<>();
        Layout layout = statics(type);
        if (layout.numbers.length + layout.references.length > 0) {
            Kept fields = read(base(type), layout);
            all.add(fields);
        }
        // Those that are final lead to objects as well.
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                add(open, U.getReference(U.staticFieldBase(field), U.staticFieldOffset(field)));
            }
        }
        while (!open.isEmpty()) {
            Object object = open.pop();
            Class<?> of = object.getClass();
            Kept one;
            if (of.isArray()) {
                int length = java.lang.reflect.Array.getLength(object);
                one = new Kept(object, null, null, null, copy(object, length));
                cells += length;
                if (object instanceof Object[] elements) for (Object element : elements) add(open, element);
            } else {
                one = read(object, fields(of));
                cells += one.numbers.length + one.references.length;
                for (Object next : one.references) add(open, next);
            }
            kept.put(object, one);
            all.add(one);
            if (cells > MOST) throw new IllegalStateException();
        }
    }

    private void add(ArrayDeque<Object> open, Object object) {
        if (object == null || kept.containsKey(object) || parent != null && parent.kept.containsKey(object)) return;
        Class<?> type = object.getClass();
        if (!type.isArray() && CONSTANT.contains(type.getName())) return;
        kept.put(object, null);
        open.push(object);
    }

    private static Object copy(Object array, int length) {
        Object copy = java.lang.reflect.Array.newInstance(array.getClass().getComponentType(), length);
        System.arraycopy(array, 0, copy, 0, length);
        return copy;
    }

    /** The static fields of a class that may change. */
    private static Layout statics(Class<?> type) {
        ArrayList<Field> fields = new ArrayList<>();
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && !Modifier.isFinal(field.getModifiers())) fields.add(field);
        }
        return layout(fields);
    }

    private static Object base(Class<?> type) {
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers())) return U.staticFieldBase(field);
        }
        throw new IllegalStateException();
    }

    /** The fields of objects of a class. */
    private Layout fields(Class<?> type) {
        Layout found = layouts.get(type);
        if (found != null) return found;
        ArrayList<Field> fields = new ArrayList<>();
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            // What others hold besides their fields is not known.
            if (!(at.getClassLoader() instanceof XcuteLoader) && !SIMPLE.contains(at.getName())) throw new IllegalStateException(at.getName());
            for (Field field : at.getDeclaredFields()) if (!Modifier.isStatic(field.getModifiers())) fields.add(field);
        }
        found = layout(fields);
        layouts.put(type, found);
        return found;
    }

    private static Layout layout(List<Field> fields) {
        List<Field> plain = new ArrayList<>(), others = new ArrayList<>();
        for (Field field : fields) (field.getType().isPrimitive() ? plain : others).add(field);
        byte[] sizes = new byte[plain.size()];
        for (int i = 0; i < sizes.length; i++) {
            Class<?> type = plain.get(i).getType();
            boolean one = type == byte.class || type == boolean.class, two = type == char.class || type == short.class;
            sizes[i] = (byte) (one ? 1 : two ? 2 : type == int.class || type == float.class ? 4 : 8);
        }
        return new Layout(offsets(plain), sizes, offsets(others));
    }

    private static long[] offsets(List<Field> fields) {
        long[] found = new long[fields.size()];
        for (int i = 0; i < found.length; i++) {
            Field field = fields.get(i);
            found[i] = Modifier.isStatic(field.getModifiers()) ? U.staticFieldOffset(field) : U.objectFieldOffset(field);
        }
        return found;
    }
}
