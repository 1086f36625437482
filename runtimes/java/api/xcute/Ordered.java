package xcute;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Makes calls in a JVM of their own, where an agent may hold threads to an order, and writes to a file what came of them: parts that are each ended by a character 0.
 *
 * <p>JUnit tests carry this class along.
 */
public final class Ordered {
    /** Where the answer goes. */
    static String answer;
    /** How the run ended before the calls did. */
    static volatile String stopped;
    /** How often all threads are seen to wait before they count as stuck, and milliseconds in between. */
    private static final int STUCK = 10;
    private static final int LOOK = 30;

    /** Virtual threads of the program, as the agent met them: no group lists them. */
    private static final java.util.List<Thread> VIRTUAL = new java.util.ArrayList<>();

    private Ordered() {}

    /** Calls that begin by {@link #begin}; what came of them. */
    interface Calls {
        String made() throws Throwable;
    }

    /** Makes calls, and ends the JVM when all threads that they started have ended, or, if they are held, wait for each other. */
    static void run(String file, boolean held, Calls calls) throws Throwable {
        answer = file;
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught(told(thrown, "threw")));
        if (held) watch();
        String text = calls.made();
        // An exception that leaves the method ends its thread; the others go on.
        if (text.startsWith("threw")) uncaught(text);
        join();
        end(stopped != null ? stopped : text);
    }

    /** The agent that holds threads has a breakpoint here: from now on it counts them. */
    static void begin() {}

    /** The agent calls this when a virtual thread begins. */
    static void begins(Thread virtual) {
        synchronized (VIRTUAL) {
            VIRTUAL.add(virtual);
        }
    }

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
                java.util.List<Thread> all = new java.util.ArrayList<>(java.util.Arrays.asList(threads).subList(0, group.enumerate(threads)));
                synchronized (VIRTUAL) {
                    all.addAll(VIRTUAL);
                }
                for (Thread thread : all) {
                    Thread.State state = thread.getState();
                    boolean goesOn = state != Thread.State.BLOCKED && state != Thread.State.WAITING && state != Thread.State.TERMINATED;
                    if (thread != Thread.currentThread() && goesOn && !isIdle(thread)) times = -1;
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

    static void write(String text) {
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
