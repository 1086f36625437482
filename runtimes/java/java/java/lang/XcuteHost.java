package java.lang;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import jdk.internal.misc.Unsafe;

/**
 * The loop that runs cases: waits for one, makes its input, runs the driver, says how it ended.
 *
 * <p>The layout of the shared memory is that of wire.rs.
 */
public final class XcuteHost {
    private static final Unsafe U = Unsafe.getUnsafe();

    // wire.rs
    private static final int MAGIC = 0x4a435843;
    private static final int COMMAND = 20;
    private static final int RUN = 24;
    private static final int STARTED = 28;
    private static final int FLAGS = 32;
    private static final int OUTCOME = 36;
    private static final int COLLECTIONS = 40;
    private static final int THREADS = 44;
    private static final int READY = 48;
    private static final int GENERATION = 52;
    private static final int EVENTS_AT = 56;
    private static final int EVENTS_SIZE = 64;
    private static final int EVENTS_USED = 72;
    private static final int INPUT_AT = 80;
    private static final int TEXT_AT = 96;
    private static final int TEXT_SIZE = 104;
    private static final int TEXT_USED = 112;
    private static final int CLASSES_AT = 120;
    private static final int CLASSES_SIZE = 128;
    private static final int CLASSES_USED = 136;
    private static final int TYPES_AT = 144;
    private static final int TYPES_COUNT = 160;
    private static final int COLLECT_ABOVE = 168;
    private static final int REQUEST = 176;
    private static final int CHOSEN = 180;
    private static final int ARM = 184;
    private static final int TASKS = 188;
    private static final int TASKS_AT = 192;
    private static final int SHARED_AT = 200;
    private static final int INITIALISERS = 208;
    private static final int LOADS = 216;
    private static final int QUIT = 2;
    private static final int TABLE = 3;
    private static final int RETURNED = 1;
    private static final int THREW = 2;
    static final int EXITED = 3;
    static final int REJECTED = 4;
    static final int STEPS = 5;
    static final int ASSERTED = 6;
    private static final int BROKEN = 7;
    static final int SCHEDULED = 8;
    private static final int UNSUPPORTED = 9;
    private static final int FRESH_PROGRAM = 1;
    private static final int FRESH_COPIES = 2;
    private static final int NUMBERED = 4;
    private static final int COLLECT = 8;
    private static final int TEXTS = 16;
    private static final int ARRAYS = 32;
    private static final int THREADED = 64;
    private static final int INTERRUPTS = 128;
    private static final int SIGNALS = 256;
    private static final int LIVES = 512;
    private static final int ENDINGS = 1024;
    private static final int RESTORE = 2048;
    private static final int LINES = 4096;
    private static final int INPUT = 10 << 24;
    static final int KINDS = 9;
    /** Packages that copies of classes of java.util use. To export them here is quicker than to say so when the JVM starts, which then makes all modules itself. */
    private static final String[] EXPORTS = {
        "jdk.internal.util", "jdk.internal.access", "jdk.internal.misc", "jdk.internal.vm.annotation", "sun.security.action"
    };

    // The groups of the pack.
    static final int COPIES = 1;
    static final int PROGRAM = 2;
    private static final int DRIVER = 3;

    private static final long block = block();
    private static final HashMap<String, byte[]>[] PACK = packs();
    private static XcuteLoader copies;
    private static XcuteLoader program;
    private static Runnable driver;
    private static String driverName;
    private static HashMap<Integer, String> met = new HashMap<>();
    private static int numbers;
    private static long epoch;
    private static int seen;

    private XcuteHost() {}

    private static native long block();

    private static native long pack();

    private static native int handOver(int seen);

    private static native int bell();

    private static native void collect();

    private static native long tag(Object object, long fresh);

    /** A number of an object that survives garbage collection. */
    static int number(Object object) {
        long fresh = epoch << 32 | ++numbers;
        long tag = tag(object, fresh);
        if (tag != fresh) numbers--;
        return (int) tag;
    }

    @SuppressWarnings("unchecked")
    private static HashMap<String, byte[]>[] packs() {
        return new HashMap[] {null, new HashMap<String, byte[]>(), new HashMap<String, byte[]>()};
    }

    public static void main(String[] arguments) {
        Module base = Object.class.getModule();
        for (String name : EXPORTS) {
            // Some packages are gone in later versions.
            if (base.getPackages().contains(name)) base.implAddExportsToAllUnnamed(name);
        }
        readPack(pack());
        boolean layout = U.arrayIndexScale(Object[].class) == 4
                && U.getInt(new int[77], XcuteRt.LENGTH_AT) == 77
                && U.getByte(new byte[] {7}, XcuteRt.ELEMENTS_AT) == 7
                && U.getChar(new char[] {7}, XcuteRt.ELEMENTS_AT) == 7
                && U.getLong(new long[] {7}, XcuteRt.ELEMENTS_AT) == 7
                && U.getReference(new Object[] {""}, XcuteRt.ELEMENTS_AT) == ""
                && U.getInt(new Object(), XcuteRt.CLASS_AT) == U.getInt(new Object(), XcuteRt.CLASS_AT)
                && U.getInt(new Object(), XcuteRt.CLASS_AT) != U.getInt("", XcuteRt.CLASS_AT);
        // Its thread is made when it is needed first, which must not be in a run.
        jdk.internal.ref.CleanerFactory.cleaner();
        seen = bell();
        U.putInt(block + READY, layout ? MAGIC : 1);
        while (true) {
            seen = handOver(seen);
            int command = U.getInt(block + COMMAND);
            if (command == QUIT) return;
            if (command == TABLE) {
                table();
            } else {
                run();
            }
        }
    }

    /** After the classes of the runtime: of each class its group, and the lengths and bytes of name and class. */
    private static void readPack(long at) {
        int runtime = U.getInt(at);
        at += 4;
        for (int i = 0; i < runtime; i++) at += 8 + U.getInt(at) + U.getInt(at + 4);
        int count = U.getIntUnaligned(null, at);
        at += 4;
        for (int i = 0; i < count; i++) {
            int group = U.getIntUnaligned(null, at), name = U.getIntUnaligned(null, at + 4), length = U.getIntUnaligned(null, at + 8);
            String text = new String(copy(at + 12, name), StandardCharsets.UTF_8).replace('/', '.');
            if (group == DRIVER) driverName = text;
            PACK[Math.min(group, PROGRAM)].put(text, copy(at + 12 + name, length));
            at += 12 + name + length;
        }
    }

    private static byte[] copy(long at, int length) {
        byte[] bytes = new byte[length];
        U.copyMemory(null, at, bytes, XcuteRt.ELEMENTS_AT, length);
        return bytes;
    }

    static byte[] bytes(String name, int group) {
        return PACK[group].get(name);
    }

    /**
     * What all characters of 16 bits are: the value as a digit, properties, upper and lower case. Then those beyond that are others in upper or lower case,
     * each with the lower halves of both.
     */
    private static void table() {
        for (int i = 0; i < 0x10000; i++) {
            char c = (char) i;
            int is = (Character.isDigit(c) ? 1 : 0) | (Character.isLetter(c) ? 2 : 0) | (Character.isLetterOrDigit(c) ? 4 : 0)
                    | (Character.isWhitespace(c) ? 8 : 0) | (Character.isUpperCase(c) ? 16 : 0) | (Character.isLowerCase(c) ? 32 : 0)
                    | (Character.isAlphabetic(c) ? 64 : 0) | (Character.isSpaceChar(c) ? 128 : 0) | (Character.isTitleCase(c) ? 0x100 : 0)
                    | (Character.isDefined(c) ? 0x200 : 0) | (Character.isJavaIdentifierStart(c) ? 0x400 : 0)
                    | (Character.isJavaIdentifierPart(c) ? 0x800 : 0) | (Character.isUnicodeIdentifierStart(c) ? 0x1000 : 0)
                    | (Character.isUnicodeIdentifierPart(c) ? 0x2000 : 0) | (Character.isIdentifierIgnorable(c) ? 0x4000 : 0)
                    | (Character.isMirrored(c) ? 0x8000 : 0) | (Character.isIdeographic(c) ? 0x10000 : 0)
                    | (Character.isSurrogate(c) ? 0x20000 : 0) | (Character.isHighSurrogate(c) ? 0x40000 : 0)
                    | (Character.isLowSurrogate(c) ? 0x80000 : 0) | (Character.isISOControl(c) ? 0x100000 : 0)
                    | (isIrregular(c, true) ? 0x200000 : 0) | (isIrregular(c, false) ? 0x400000 : 0);
            long word = Character.digit(c, 10) & 0xffL | (long) is << 8 | (long) Character.toUpperCase(c) << 32 | (long) Character.toLowerCase(c) << 48;
            U.putLong(events() + 8L * i, word);
        }
        int count = 0x10000;
        for (int code = 0x10000; code <= 0x10ffff; code++) {
            int upper = Character.toUpperCase(code), lower = Character.toLowerCase(code);
            if (upper == code && lower == code) continue;
            U.putLong(events() + 8L * count++, code | (upper & 0xffffL) << 24 | (lower & 0xffffL) << 40);
        }
        U.putLong(used(), 8L * count);
    }

    /** Whether a character is several in upper or lower case; or another one, where it depends on what stands next to it. */
    private static boolean isIrregular(char c, boolean upper) {
        if (c < 128) return false;
        String text = String.valueOf(c);
        String cased = upper ? text.toUpperCase(java.util.Locale.ROOT) : text.toLowerCase(java.util.Locale.ROOT);
        return cased.length() != 1 || cased.charAt(0) != (upper ? Character.toUpperCase(c) : Character.toLowerCase(c)) || !upper && c == 0x3a3;
    }

    static long events() {
        return block + U.getLong(block + EVENTS_AT);
    }

    static long used() {
        return block + EVENTS_USED;
    }

    private static void run() {
        U.putInt(block + STARTED, U.getInt(block + RUN));
        int flags = U.getInt(block + FLAGS);
        numbers = 0;
        epoch++;
        U.putLong(block + TEXT_USED, 0);
        int outcome;
        XcuteThreads.made = 0;
        long thread = thread();
        try {
            prepare(flags);
            XcuteRt.numbered = (flags & NUMBERED) != 0;
            XcuteRt.contents = flags & (TEXTS | ARRAYS);
            XcuteRt.stopped = 0;
            XcuteRt.next = 0;
            // Room for the last event, which may have two words.
            XcuteRt.most = U.getLong(block + EVENTS_SIZE) - 16;
            XcuteInput.make(block + U.getLong(block + INPUT_AT), program);
            XcuteThreads.interrupts = (flags & INTERRUPTS) != 0;
            XcuteThreads.signals = (flags & SIGNALS) != 0;
            XcuteThreads.lives = (flags & LIVES) != 0;
            XcuteThreads.endings = (flags & ENDINGS) != 0;
            XcuteLocks.lines = (flags & LINES) != 0;
            XcuteThreads.begin((flags & THREADED) != 0, block + U.getLong(block + SHARED_AT), block + U.getLong(block + TASKS_AT));
            XcuteStatics.begin();
            XcuteRt.owner = Thread.currentThread();
            for (Object object : XcuteRt.objects) XcuteRt.r(object, INPUT);
            outcome = drive();
        } catch (Throwable t) {
            XcuteRt.owner = null;
            tell(t);
            outcome = BROKEN;
        }
        XcuteRt.owner = null;
        XcuteRt.objects = null;
        XcuteNumbers.REPORTED.clear();
        U.putInt(block + THREADS, (int) (thread() - thread - 1) - XcuteThreads.made);
        U.putLong(block + INITIALISERS, XcuteStatics.begun());
        U.putInt(block + OUTCOME, outcome);
    }

    /** A number that grows by one, and with each thread that anybody makes; also one that has not come to its beginning yet, or is gone already. */
    private static long thread() {
        return new Thread(null, null, "", 0, false).getId();
    }

    private static int drive() {
        try {
            driver.run();
        } catch (Throwable t) {
            XcuteRt.owner = null;
            if (XcuteThreads.many) {
                if (!XcuteThreads.stopping && XcuteRt.stopped == 0) uncaught(0, t);
            } else if (XcuteRt.stopped == 0) {
                tell(t);
                XcuteThreads.finish();
                return THREW;
            }
        }
        XcuteThreads.finish();
        return XcuteRt.stopped != 0 ? XcuteRt.stopped : RETURNED;
    }

    private static void prepare(int flags) throws ReflectiveOperationException {
        Runtime runtime = Runtime.getRuntime();
        if ((flags & RESTORE) != 0) flags = restored(flags);
        if ((flags & FRESH_COPIES) != 0 || copies == null) {
            copies = new XcuteLoader(ClassLoader.getSystemClassLoader(), COPIES);
            program = null;
        }
        if ((flags & FRESH_PROGRAM) != 0 || program == null) {
            program = new XcuteLoader(copies, PROGRAM);
            U.putLong(block + LOADS, U.getLong(block + LOADS) + 1);
            driver = null;
            XcuteInput.forget();
        }
        Thread.currentThread().setContextClassLoader(program);
        if ((flags & COLLECT) != 0 || runtime.totalMemory() - runtime.freeMemory() > U.getLong(block + COLLECT_ABOVE)) {
            collect();
            // Classes may be gone, and others may come to lie where they lay.
            met.clear();
            Arrays.fill(XcuteRt.seen, 0);
            U.putLong(block + CLASSES_USED, 0);
            U.putInt(block + GENERATION, U.getInt(block + GENERATION) + 1);
        }
        if (driver == null) driver = (Runnable) Class.forName(driverName, true, program).getDeclaredConstructor().newInstance();
    }

    /** Restores static state where that is possible; what is to be loaded again all the same. */
    private static int restored(int flags) {
        if (copies == null || program == null) return flags;
        boolean keptCopies = copies.statics.possible(), keptProgram = program.statics.possible();
        if (keptCopies) {
            copies.statics.restore();
            flags &= ~FRESH_COPIES;
        }
        if (keptProgram && (flags & FRESH_COPIES) == 0) {
            program.statics.restore();
            flags &= ~FRESH_PROGRAM;
        }
        return flags;
    }

    /** Tells the engine of a class, and remembers that it knows. */
    static void meet(Class<?> type, int number, int slot) {
        if (met.putIfAbsent(number, "") == null) {
            byte[] name = type.getName().getBytes(StandardCharsets.UTF_8);
            long at = U.getLong(block + CLASSES_USED), size = 8 + (name.length + 7) / 8 * 8;
            if (at + size <= U.getLong(block + CLASSES_SIZE)) {
                long to = block + U.getLong(block + CLASSES_AT) + at;
                U.putInt(to, number);
                U.putInt(to + 4, name.length);
                U.copyMemory(name, XcuteRt.ELEMENTS_AT, null, to + 8, name.length);
                U.putLong(block + CLASSES_USED, at + size);
            }
        }
        XcuteRt.seen[slot] = number;
        XcuteRt.seenArray[slot] = type.isArray();
    }

    // Threads.

    /** Lets the engine choose who goes on; negative if nobody does. */
    static int pick() {
        U.putInt(block + REQUEST, 1);
        seen = handOver(seen);
        U.putInt(block + REQUEST, 0);
        return U.getInt(block + CHOSEN);
    }

    static int arm() {
        return U.getInt(block + ARM);
    }

    static void tasks(int count) {
        U.putInt(block + TASKS, count);
    }

    /** A task stops: it failed, does not accept the input, or ends the program. */
    static void halted(int outcome) {
        ended(XcuteThreads.self(), outcome, outcome == ASSERTED ? new AssertionError() : null);
    }

    /** An exception has left a task. */
    static void uncaught(int task, Throwable thrown) {
        ended(task, THREW, thrown);
    }

    /** Ends the run: xcute does not know what comes. */
    static XcuteStop cannot(String what) {
        tell(new UnsupportedOperationException(what));
        XcuteRt.stopped = UNSUPPORTED;
        XcuteRt.most = 0;
        return XcuteStop.STOP;
    }

    /** Appends what became of a task: its number, how it ended, how much text follows, and the text. */
    private static void ended(int task, int outcome, Throwable thrown) {
        byte[] text = thrown == null ? new byte[0] : text(thrown);
        long used = U.getLong(block + TEXT_USED), size = 12 + (text.length + 3) / 4 * 4;
        if (used + size > U.getLong(block + TEXT_SIZE)) return;
        long to = block + U.getLong(block + TEXT_AT) + used;
        U.putInt(to, task);
        U.putInt(to + 4, outcome);
        U.putInt(to + 8, text.length);
        U.copyMemory(text, XcuteRt.ELEMENTS_AT, null, to + 12, text.length);
        U.putLong(block + TEXT_USED, used + size);
    }

    /** Says which exception ended the run: class, message, frames, each ended by a character 0. */
    static void tell(Throwable t) {
        byte[] bytes = text(t);
        int length = (int) Math.min(bytes.length, U.getLong(block + TEXT_SIZE));
        U.copyMemory(bytes, XcuteRt.ELEMENTS_AT, null, block + U.getLong(block + TEXT_AT), length);
        U.putLong(block + TEXT_USED, length);
    }

    private static byte[] text(Throwable t) {
        StringBuilder text = new StringBuilder();
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
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** The text of entry {@code index} in the table of types, and its two numbers, for XcuteInput. */
    static long types() {
        return block + U.getLong(block + TYPES_AT);
    }

    static long typeCount() {
        return U.getLong(block + TYPES_COUNT);
    }
}
