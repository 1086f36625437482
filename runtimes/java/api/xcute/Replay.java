package xcute;

import java.io.DataInputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import jdk.internal.misc.Unsafe;

/**
 * Repeats a case on the original classes, in a plain JVM: builds the inputs, calls the method, and writes to a file what came of it.
 *
 * <p>Arguments: the file with the case, the file for the answer, the file with the plan.
 */
public final class Replay {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static String answer;
    private static boolean batch;
    private static volatile String stopped;
    /** How often all threads are seen to wait before they count as stuck, and milliseconds in between. */
    private static final int STUCK = 10;
    private static final int LOOK = 30;

    private Replay() {}

    public static void main(String[] arguments) throws Throwable {
        if (arguments[0].equals("--all")) {
            all(arguments);
        } else {
            answer = arguments[1];
            Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught(told(thrown, "threw")));
            if (Boolean.getBoolean("xcute.held")) watch();
            String text = repeat(arguments[0], arguments[2], Replay.class.getClassLoader());
            // An exception that leaves the method ends its thread; the others go on.
            if (text.startsWith("threw")) {
                uncaught(text);
            }
            join();
            end(stopped != null ? stopped : text);
        }
    }

    /** The agent that holds threads has a breakpoint here: from now on it counts them. */
    private static void begin() {}

    /** Ends the run when all threads of the program wait for each other, for a while. Those that are held do not wait: they run, in the agent. */
    private static void watch() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        Thread watch = new Thread(() -> {
            for (int times = 0; times < STUCK; times++) {
                try {
                    Thread.sleep(LOOK);
                } catch (InterruptedException e) {
                    return;
                }
                Thread[] threads = new Thread[2 * group.activeCount() + 16];
                int count = group.enumerate(threads);
                for (int i = 0; i < count; i++) {
                    Thread.State state = threads[i].getState();
                    boolean waits = state == Thread.State.BLOCKED || state == Thread.State.WAITING || isIdle(threads[i]);
                    if (threads[i] != Thread.currentThread() && !waits) times = -1;
                }
            }
            end(stopped != null ? stopped : "stuck\0");
        });
        watch.setDaemon(true);
        watch.start();
    }

    /** An exception has left a thread of the program. What leaves others comes after a character 1. */
    private static synchronized void uncaught(String text) {
        stopped = stopped == null ? text : stopped + '\1' + text.replace('\1', ' ');
    }

    /** Whether a thread is one of a pool, and waits for something to do. */
    private static boolean isIdle(Thread thread) {
        Thread.State state = thread.getState();
        if (state != Thread.State.WAITING && state != Thread.State.TIMED_WAITING) return false;
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getMethodName().equals("getTask") && frame.getClassName().equals("java.util.concurrent.ThreadPoolExecutor")) return true;
        }
        return false;
    }

    /** Waits for the threads of the program that a JVM would wait for, but for those that have nothing to do. */
    private static void join() throws InterruptedException {
        for (boolean more = true; more; ) {
            more = false;
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                if (thread != Thread.currentThread() && !thread.isDaemon() && !thread.getName().equals("DestroyJavaVM") && !isIdle(thread)) {
                    thread.join(LOOK);
                    more = true;
                }
            }
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
            return told(e, "threw");
        }
        try {
            begin();
            return "returned\0" + plan.run();
        } catch (InvocationTargetException e) {
            return told(e.getCause(), "threw");
        } catch (LinkageError e) {
            // The class under test cannot be verified or initialised.
            return told(e, "threw");
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
            answer = arguments[1] + "/answer" + i;
            write(head(alone).equals(head(together)) ? alone : "differs\0");
        }
        end(null);
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
        stopped = null;
        Inputs.next = 0;
        Thread thread = new Thread(() -> {
            String text;
            try {
                text = repeat(file, arguments[4], loader);
            } catch (Throwable t) {
                text = "broken\0" + t + '\0';
            }
            result[0] = stopped != null ? stopped : text;
        });
        thread.setDaemon(true);
        thread.start();
        thread.join(Long.parseLong(arguments[5]));
        return result[0];
    }

    /** The run is over, whatever the program does then. */
    static void stop(String how) {
        if (!batch) end(how);
        stopped = how;
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

    /** Which exception ended the run: how, class, message, whether there is one, frames. Each is ended by a character 0. */
    static String told(Throwable t, String how) {
        StringBuilder text = new StringBuilder(how).append('\0');
        text.append(t.getClass().getName()).append('\0');
        String message;
        try {
            message = t.getMessage();
        } catch (Throwable other) {
            message = null;
        }
        text.append(message == null ? "" : message.replace('\0', ' ').replace('\1', ' ')).append('\0').append(message != null).append('\0');
        int count = 0;
        for (StackTraceElement frame : t.getStackTrace()) {
            if (++count > 200) break;
            String file = frame.getFileName();
            text.append(frame.getClassName()).append('\0').append(frame.getMethodName()).append('\0').append(file == null ? "" : file);
            text.append('\0').append(frame.getLineNumber()).append('\0');
        }
        return text.toString();
    }

    private static void write(String text) {
        try (FileOutputStream out = new FileOutputStream(answer)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            Runtime.getRuntime().halt(70);
        }
    }

    static void end(String how) {
        if (how != null) write(how);
        Runtime.getRuntime().halt(0);
    }
}
