package xcute;

import java.io.DataInputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import jdk.internal.misc.Unsafe;

/**
 * Repeats a case on the original classes, in a plain JVM: builds the inputs, calls the method, and writes to a file what came of it.
 *
 * <p>Arguments: the file with the case, the file for the answer, the file with the plan.
 */
public final class Replay {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static boolean batch;

    private Replay() {}

    public static void main(String[] arguments) throws Throwable {
        if (arguments[0].equals("--all")) {
            all(arguments);
        } else {
            boolean held = Boolean.getBoolean("xcute.held");
            Ordered.run(arguments[1], held, () -> repeat(arguments[0], arguments[2], Replay.class.getClassLoader()));
        }
    }

    /** Repeats a case; what came of it: parts that are each ended by a character 0. */
    private static String repeat(String file, String planned, ClassLoader loader) throws Throwable {
        Plan plan;
        try {
            plan = new Plan(planned, loader);
            try (DataInputStream in = new DataInputStream(new FileInputStream(file))) {
                read(in, loader);
            }
            plan.take();
        } catch (ReflectiveOperationException | IOException | RuntimeException e) {
            return "broken\0" + e + '\0';
        } catch (LinkageError e) {
            return Ordered.told(e, "threw");
        }
        try {
            Ordered.begin();
            return "returned\0" + plan.run();
        } catch (InvocationTargetException e) {
            return Ordered.told(e.getCause(), "threw");
        } catch (LinkageError e) {
            // The class under test cannot be verified or initialised.
            return Ordered.told(e, "threw");
        }
    }

    /**
     * Repeats many cases: each with classes of its own, and once more with classes that all share, as tests of one suite do. An answer is written where both do the same.
     *
     * <p>Arguments: the folder with the cases, the number of the first and the one after the last, the file with the plan, milliseconds for each, the class path.
     */
    private static void all(String[] arguments) throws Exception {
        batch = true;
        String[] places = arguments[6].split(":");
        URL[] urls = new URL[places.length];
        for (int i = 0; i < places.length; i++) urls[i] = new File(places[i]).toURI().toURL();
        ClassLoader shared = loader(urls);
        for (int i = Integer.parseInt(arguments[2]); i < Integer.parseInt(arguments[3]); i++) {
            String file = arguments[1] + "/case" + i;
            String alone = timed(file, arguments, loader(urls)), together = timed(file, arguments, shared);
            Ordered.answer = arguments[1] + "/answer" + i;
            Ordered.write(head(alone).equals(head(together)) ? alone : "differs\0");
        }
        Ordered.end(null);
    }

    /** How a run ended, without the stack of an exception: in that are frames of reflection, which change. */
    private static String head(String text) {
        int end = 0;
        for (int part = 0; part < 4 && end >= 0; part++) end = text.indexOf('\0', end + 1);
        return end < 0 ? text : text.substring(0, end);
    }

    private static ClassLoader loader(URL[] urls) {
        ClassLoader loader = new URLClassLoader(urls, Replay.class.getClassLoader());
        loader.setDefaultAssertionStatus(true);
        return loader;
    }

    private static String timed(String file, String[] arguments, ClassLoader loader) throws InterruptedException {
        String[] result = {"late\0"};
        Ordered.stopped = null;
        Inputs.next = 0;
        Thread thread = new Thread(() -> {
            String text;
            try {
                text = repeat(file, arguments[4], loader);
            } catch (Throwable t) {
                text = "broken\0" + t + '\0';
            }
            result[0] = Ordered.stopped != null ? Ordered.stopped : text;
        });
        thread.setDaemon(true);
        thread.start();
        thread.join(Long.parseLong(arguments[5]));
        return result[0];
    }

    /** The run is over, whatever the program does then. */
    static void stop(String how) {
        if (!batch) Ordered.end(how);
        Ordered.stopped = how;
        throw new ThreadDeath();
    }

    private static void read(DataInputStream in, ClassLoader loader) throws IOException, ReflectiveOperationException, InstantiationException {
        Object[] objects = new Object[in.readInt()];
        for (int i = 0; i < objects.length; i++) objects[i] = make(in, loader);
        for (int count = in.readInt(); count > 0; count--) {
            Object to = objects[in.readInt()];
            int index = in.readInt();
            String owner = in.readUTF(), name = in.readUTF();
            long value = in.readLong();
            if (index >= 0) {
                set(to, index, value, objects);
            } else {
                Field field = Class.forName(owner, false, loader).getDeclaredField(name);
                put(to, U.objectFieldOffset(field), field.getType(), value, objects);
            }
        }
        Inputs.slots = new long[in.readInt()];
        for (int i = 0; i < Inputs.slots.length; i++) Inputs.slots[i] = in.readLong();
        Inputs.objects = objects;
    }

    private static Object make(DataInputStream in, ClassLoader loader) throws IOException, ReflectiveOperationException, InstantiationException {
        int kind = in.readInt(), length = in.readInt();
        String name = in.readUTF();
        switch (kind) {
            case 1: return Array.newInstance(type(name, loader), length);
            case 2: {
                char[] chars = new char[length];
                for (int i = 0; i < length; i++) chars[i] = in.readChar();
                return new String(chars);
            }
            case 3: {
                Class<?> type = Class.forName(name);
                Object box = U.allocateInstance(type);
                Field value = type.getDeclaredField("value");
                put(box, U.objectFieldOffset(value), value.getType(), in.readLong(), null);
                return box;
            }
            case 4: return Class.forName(name, true, loader).getEnumConstants()[length];
            default: return U.allocateInstance(Class.forName(name, false, loader));
        }
    }

    private static Class<?> type(String name, ClassLoader loader) throws ClassNotFoundException {
        switch (name) {
            case "Z": return boolean.class;
            case "B": return byte.class;
            case "C": return char.class;
            case "S": return short.class;
            case "I": return int.class;
            case "J": return long.class;
            case "F": return float.class;
            case "D": return double.class;
            default: return Class.forName(name, false, loader);
        }
    }

    private static void set(Object array, int index, long value, Object[] objects) {
        switch (array.getClass().getComponentType().descriptorString().charAt(0)) {
            case 'Z': Array.setBoolean(array, index, value != 0); break;
            case 'B': Array.setByte(array, index, (byte) value); break;
            case 'C': Array.setChar(array, index, (char) value); break;
            case 'S': Array.setShort(array, index, (short) value); break;
            case 'I': Array.setInt(array, index, (int) value); break;
            case 'J': Array.setLong(array, index, value); break;
            case 'F': Array.setFloat(array, index, Float.intBitsToFloat((int) value)); break;
            case 'D': Array.setDouble(array, index, Double.longBitsToDouble(value)); break;
            default: Array.set(array, index, value == 0 ? null : objects[(int) value - 1]);
        }
    }

    private static void put(Object to, long offset, Class<?> type, long value, Object[] objects) {
        switch (type.descriptorString().charAt(0)) {
            case 'Z': U.putBoolean(to, offset, value != 0); break;
            case 'B': U.putByte(to, offset, (byte) value); break;
            case 'C': U.putChar(to, offset, (char) value); break;
            case 'S': U.putShort(to, offset, (short) value); break;
            case 'I': U.putInt(to, offset, (int) value); break;
            case 'J': U.putLong(to, offset, value); break;
            case 'F': U.putFloat(to, offset, Float.intBitsToFloat((int) value)); break;
            case 'D': U.putDouble(to, offset, Double.longBitsToDouble(value)); break;
            default: U.putReference(to, offset, value == 0 ? null : objects[(int) value - 1]);
        }
    }
}
