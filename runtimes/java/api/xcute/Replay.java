package xcute;

import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import jdk.internal.misc.Unsafe;

/**
 * Repeats a case on the original classes, in a plain JVM: builds the inputs, calls the method, and writes to a file what came of it.
 *
 * <p>Arguments: the file with the case, the file for the answer, the class, the method with its descriptor.
 */
public final class Replay {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static String answer;

    private Replay() {}

    public static void main(String[] arguments) throws Throwable {
        answer = arguments[1];
        Method method = null;
        Object receiver = null;
        Object[] values = null;
        try {
            method = find(Class.forName(arguments[2], false, Replay.class.getClassLoader()), arguments[3]);
            method.setAccessible(true);
            try (DataInputStream in = new DataInputStream(new FileInputStream(arguments[0]))) {
                read(in);
            }
            boolean main = arguments[3].equals("main([Ljava/lang/String;)V") && (method.getModifiers() & 8) != 0;
            values = new Object[method.getParameterCount()];
            if (main) {
                values[0] = new String[0];
            } else {
                if ((method.getModifiers() & 8) == 0) receiver = Inputs.object();
                Class<?>[] types = method.getParameterTypes();
                for (int i = 0; i < values.length; i++) values[i] = value(types[i]);
            }
        } catch (ReflectiveOperationException | IOException | RuntimeException e) {
            end("broken\0" + e);
        }
        try {
            Object returned = method.invoke(receiver, values);
            end("returned\0" + described(method.getReturnType(), returned));
        } catch (InvocationTargetException e) {
            told(e.getCause(), "threw");
        } catch (ExceptionInInitializerError | NoClassDefFoundError e) {
            // The class under test cannot be initialised.
            told(e, "threw");
        }
        // Threads of the program may still run.
        end(null);
    }

    /** The type of what a method returned, and its value if it is a number, character, boolean or string. */
    private static String described(Class<?> type, Object value) {
        if (type == void.class) return "void\0";
        if (value == null) return "null\0";
        if (type.isPrimitive()) return type.getName() + '\0' + value;
        if (value instanceof String) return "String\0" + ((String) value).replace('\0', ' ');
        return value.getClass().getName() + '\0';
    }

    private static Object value(Class<?> type) {
        if (!type.isPrimitive()) return Inputs.object();
        switch (type.descriptorString().charAt(0)) {
            case 'Z': return Inputs.next(0) != 0;
            case 'B': return (byte) Inputs.next(1);
            case 'C': return (char) Inputs.next(2);
            case 'S': return (short) Inputs.next(3);
            case 'I': return (int) Inputs.next(4);
            case 'J': return Inputs.next(5);
            case 'F': return Float.intBitsToFloat((int) Inputs.next(6));
            default: return Double.longBitsToDouble(Inputs.next(7));
        }
    }

    private static Method find(Class<?> type, String wanted) throws NoSuchMethodException {
        for (Method method : type.getDeclaredMethods()) {
            StringBuilder descriptor = new StringBuilder(method.getName()).append('(');
            for (Class<?> parameter : method.getParameterTypes()) descriptor.append(parameter.descriptorString());
            descriptor.append(')').append(method.getReturnType().descriptorString());
            if (descriptor.toString().equals(wanted)) return method;
        }
        throw new NoSuchMethodException(wanted);
    }

    private static void read(DataInputStream in) throws IOException, ReflectiveOperationException, InstantiationException {
        ClassLoader loader = Replay.class.getClassLoader();
        Object[] objects = new Object[in.readInt()];
        for (int i = 0; i < objects.length; i++) objects[i] = make(in, loader);
        for (int count = in.readInt(); count > 0; count--) {
            Object to = objects[in.readInt()];
            int index = in.readInt();
            String owner = in.readUTF(), name = in.readUTF();
            long value = in.readLong();
            if (index >= 0) {
                Class<?> array = to.getClass();
                long offset = U.arrayBaseOffset(array) + (long) U.arrayIndexScale(array) * index;
                put(to, offset, array.getComponentType(), value, objects);
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

    /** Writes which exception ended the run: how, class, message, whether there is one, frames. Each is ended by a character 0. */
    static void told(Throwable t, String how) {
        StringBuilder text = new StringBuilder(how).append('\0');
        text.append(t.getClass().getName()).append('\0');
        String message;
        try {
            message = t.getMessage();
        } catch (Throwable other) {
            message = null;
        }
        text.append(message == null ? "" : message.replace('\0', ' ')).append('\0').append(message != null).append('\0');
        int count = 0;
        for (StackTraceElement frame : t.getStackTrace()) {
            if (++count > 200) break;
            String file = frame.getFileName();
            text.append(frame.getClassName()).append('\0').append(frame.getMethodName()).append('\0').append(file == null ? "" : file);
            text.append('\0').append(frame.getLineNumber()).append('\0');
        }
        write(text.toString());
    }

    private static void write(String text) {
        try (FileOutputStream out = new FileOutputStream(answer)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            Runtime.getRuntime().halt(70);
        }
    }

    static void end(String how) {
        if (how != null) write(how + "\0");
        Runtime.getRuntime().halt(0);
    }
}
