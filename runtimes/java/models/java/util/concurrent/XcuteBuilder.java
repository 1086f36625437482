package java.util.concurrent;

/**
 * In place of {@code Thread.Builder}, and of other methods that later versions added to {@code Thread}. Calls of them become calls of the static ones here; builders are
 * objects of any class there, because this version does not know their interfaces.
 *
 * <p>A virtual thread is a thread like any other: on which processor it runs, nobody can see.
 */
public final class XcuteBuilder {
    /** A virtual thread. */
    private static final class Virtual extends Thread {
        Virtual(Runnable task, String name) {
            super(null, task, name);
            setDaemon(true);
            setPriority(NORM_PRIORITY);
        }

        @Override
        public String toString() {
            throw XcuteThreads.unsupported("the text of a virtual thread");
        }
    }

    private final boolean virtual;
    private String name;
    /** Counts the threads of a factory; negative: they have one name. */
    private long count = -1;
    /** -1: as the thread that makes it. */
    private int daemon = -1;
    private int priority;
    private Thread.UncaughtExceptionHandler handler;

    private XcuteBuilder(boolean virtual) {
        this.virtual = virtual;
    }

    public static Object ofVirtual() {
        return new XcuteBuilder(true);
    }

    public static Object ofPlatform() {
        return new XcuteBuilder(false);
    }

    public static Thread startVirtualThread(Runnable task) {
        return start(ofVirtual(), task);
    }

    public static Object name(Object builder, String name) {
        if (name == null) throw new NullPointerException();
        XcuteBuilder it = (XcuteBuilder) builder;
        it.name = name;
        it.count = -1;
        return it;
    }

    public static Object name(Object builder, String prefix, long start) {
        if (prefix == null) throw new NullPointerException();
        if (start < 0) throw new IllegalArgumentException("'start' is negative");
        XcuteBuilder it = (XcuteBuilder) builder;
        it.name = prefix;
        it.count = start;
        return it;
    }

    public static Object daemon(Object builder) {
        return daemon(builder, true);
    }

    public static Object daemon(Object builder, boolean on) {
        ((XcuteBuilder) builder).daemon = on ? 1 : 0;
        return builder;
    }

    public static Object priority(Object builder, int priority) {
        if (priority < Thread.MIN_PRIORITY || priority > Thread.MAX_PRIORITY) throw new IllegalArgumentException();
        ((XcuteBuilder) builder).priority = priority;
        return builder;
    }

    public static Object group(Object builder, ThreadGroup group) {
        throw XcuteThreads.unsupported("Thread.Builder.OfPlatform.group");
    }

    /** Where a value would be inherited, {@code InheritableThreadLocal} ends the run. */
    public static Object inheritInheritableThreadLocals(Object builder, boolean inherit) {
        return builder;
    }

    public static Object stackSize(Object builder, long size) {
        if (size < 0) throw new IllegalArgumentException();
        return builder;
    }

    public static Object uncaughtExceptionHandler(Object builder, Thread.UncaughtExceptionHandler handler) {
        if (handler == null) throw new NullPointerException();
        ((XcuteBuilder) builder).handler = handler;
        return builder;
    }

    public static Thread unstarted(Object builder, Runnable task) {
        if (task == null) throw new NullPointerException();
        return ((XcuteBuilder) builder).make(task);
    }

    public static Thread start(Object builder, Runnable task) {
        Thread made = unstarted(builder, task);
        made.start();
        return made;
    }

    /** What is said to the builder later is not for its factories. */
    public static ThreadFactory factory(Object builder) {
        XcuteBuilder it = (XcuteBuilder) builder, own = new XcuteBuilder(it.virtual);
        own.name = it.name;
        own.count = it.count;
        own.daemon = it.daemon;
        own.priority = it.priority;
        own.handler = it.handler;
        return task -> {
            synchronized (own) {
                return unstarted(own, task);
            }
        };
    }

    private Thread make(Runnable task) {
        String called = count < 0 || name == null ? name : name + count++;
        Thread made;
        if (virtual) {
            made = new Virtual(task, called == null ? "" : called);
        } else {
            made = called == null ? new Thread(task) : new Thread(task, called);
            if (daemon >= 0) made.setDaemon(daemon == 1);
            if (priority > 0) made.setPriority(priority);
        }
        if (handler != null) made.setUncaughtExceptionHandler(handler);
        return made;
    }

    public static boolean isVirtual(Thread thread) {
        if (thread == null) throw new NullPointerException();
        return thread instanceof Virtual;
    }

    public static void setDaemon(Thread thread, boolean on) {
        if (thread instanceof Virtual && !on) throw new IllegalArgumentException("'false' not legal for virtual threads");
        thread.setDaemon(on);
    }

    public static void setPriority(Thread thread, int priority) {
        if (priority < Thread.MIN_PRIORITY || priority > Thread.MAX_PRIORITY) throw new IllegalArgumentException();
        if (!(thread instanceof Virtual)) thread.setPriority(priority);
    }

    // Tests of types: a virtual thread's builder is of one, another thread's of the other.

    public static boolean is(Object object) {
        return object instanceof XcuteBuilder;
    }

    public static boolean isOfVirtual(Object object) {
        return object instanceof XcuteBuilder && ((XcuteBuilder) object).virtual;
    }

    public static boolean isOfPlatform(Object object) {
        return object instanceof XcuteBuilder && !((XcuteBuilder) object).virtual;
    }

    public static Object cast(Object object) {
        return cast(object, is(object));
    }

    public static Object castOfVirtual(Object object) {
        return cast(object, isOfVirtual(object));
    }

    public static Object castOfPlatform(Object object) {
        return cast(object, isOfPlatform(object));
    }

    private static Object cast(Object object, boolean fits) {
        if (object == null || fits) return object;
        throw new ClassCastException("not the builder of threads that is wanted");
    }
}
