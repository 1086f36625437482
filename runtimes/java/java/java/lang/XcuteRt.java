package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * What instrumented code calls: events, inputs, and what replaces calls that a run must not make.
 *
 * <p>An event is one or two words in the memory shared with the engine; writing one takes about a nanosecond. Only the thread that has the run
 * reports, so that code on other threads of the JVM (finalizers, compilers of lambda forms) disturbs nothing. The class lies in java.base, so
 * that code of every loader can call it.
 *
 * <p>A reference is reported by its address, which is a number of 32 bits and stays the same until garbage is collected; collections are
 * counted by the agent, and a run in which one happened is made again with numbers that survive it.
 */
public final class XcuteRt {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final Object[] CELL = new Object[1];
    // wire.rs: kinds of events.
    private static final int INT = 5;
    private static final int LONG = 6;
    private static final int REF = 7;
    private static final int CONTENTS = 0x40;
    /** Where objects have their class, and arrays their length. XcuteHost checks both when the JVM starts. */
    static final long CLASS_AT = 8;
    static final long LENGTH_AT = 12;
    static final long ELEMENTS_AT = 16;

    /** Classes that the engine knows: a small table in front of the real one. */
    static final int SEEN = 1024;
    static final int[] seen = new int[SEEN];
    static final boolean[] seenArray = new boolean[SEEN];

    /** Who reports; null between runs. */
    static Thread owner;
    /** Where the events are. How many bytes of them there are stands in shared memory, so that it is known even if this JVM dies. */
    private static final long EVENTS = XcuteHost.events();
    private static final long USED = XcuteHost.used();
    /** How many bytes there may be. */
    static long most;
    /** Objects have numbers that survive garbage collection. */
    static boolean numbered;
    /** Strings, builders and arrays report what they hold: bits of the flags of the run. */
    static int contents;
    /** Which outcome a run that was stopped has. */
    static int stopped;
    /** The next input, the first address of their values, and how many there are. */
    static int next;
    static long slots;
    static long slotCount;
    static Object[] objects;

    private XcuteRt() {}

    // Events.

    /** An event without a value of its own. */
    public static void e(long word) {
        if (Thread.currentThread() != owner) {
            XcuteThreads.leave();
            return;
        }
        long used = U.getLong(USED);
        if (used >= most) throw full();
        U.putLong(EVENTS + used, word);
        U.putLong(USED, used + 8);
    }

    public static void i(int value, int tag) {
        e((long) tag << 32 | value & 0xffffffffL);
    }

    public static void f(float value, int tag) {
        e((long) tag << 32 | Float.floatToRawIntBits(value) & 0xffffffffL);
    }

    public static void l(long value, int tag) {
        if (Thread.currentThread() != owner) {
            XcuteThreads.leave();
            return;
        }
        long used = U.getLong(USED);
        if (used >= most) throw full();
        U.putLong(EVENTS + used, (long) tag << 32);
        U.putLong(EVENTS + used + 8, value);
        U.putLong(USED, used + 16);
    }

    public static void d(double value, int tag) {
        l(Double.doubleToRawLongBits(value), tag);
    }

    public static void r(Object value, int tag) {
        if (Thread.currentThread() != owner) {
            XcuteThreads.leave();
            return;
        }
        long used = U.getLong(USED);
        if (used >= most) throw full();
        if (value == null) {
            U.putLong(EVENTS + used, (long) tag << 32);
            U.putLong(USED, used + 8);
            return;
        }
        int number;
        if (numbered) {
            number = XcuteHost.number(value);
        } else {
            CELL[0] = value;
            number = U.getInt(CELL, ELEMENTS_AT);
        }
        int type = U.getInt(value, CLASS_AT);
        int slot = (type * 0x9e3779b1) >>> 22;
        if (seen[slot] != type) XcuteHost.meet(value.getClass(), type, slot);
        int length = seenArray[slot] ? U.getInt(value, LENGTH_AT) : value instanceof Enum<?> constant ? constant.ordinal() + 1 : 0;
        U.putLong(EVENTS + used, (long) tag << 32 | number & 0xffffffffL);
        U.putLong(EVENTS + used + 8, (long) type << 32 | length & 0xffffffffL);
        U.putLong(USED, used + 16);
        if (contents != 0) XcuteContents.add(value, EVENTS + used, USED);
    }

    /** An exception that a handler caught. It does not stop the run: the handler might be for this very event. */
    public static void c(Object exception, int tag) {
        if (U.getLong(USED) < most) r(exception, tag);
    }

    /** An exception leaves a method. */
    public static void u(long word) {
        if (U.getLong(USED) < most) e(word);
    }

    private static XcuteStop full() {
        if (stopped == 0) stopped = XcuteHost.STEPS;
        return XcuteStop.STOP;
    }

    /** What stands for an object in events. */
    static int number(Object value) {
        if (value == null) return 0;
        if (numbered) return XcuteHost.number(value);
        CELL[0] = value;
        return U.getInt(CELL, ELEMENTS_AT);
    }

    /** Where the next event will be. */
    static long used() {
        return U.getLong(USED);
    }

    /** Whether there is an event at a position that says a value. */
    static boolean says(long at) {
        if (at < 0 || at >= U.getLong(USED)) return false;
        int kind = kind(at);
        return kind == INT || kind == LONG || kind == REF;
    }

    /** That value. */
    static long said(long at) {
        return kind(at) == LONG ? U.getLong(EVENTS + at + 8) : U.getLong(EVENTS + at) & 0xffffffffL;
    }

    private static int kind(long at) {
        return (int) (U.getLong(EVENTS + at) >>> 56) & ~CONTENTS;
    }

    // Inputs: parameters of the driver first, then what the program asks for.

    private static long input(int kind) {
        long slot = (long) next++ * XcuteHost.KINDS + kind;
        return slot < slotCount ? U.getLong(slots + 8 * slot) : 0;
    }

    /** The next input is this one. */
    public static void at(int place) {
        next = place;
    }

    public static boolean nextZ() {
        return input(0) != 0;
    }

    public static byte nextB() {
        return (byte) input(1);
    }

    public static char nextC() {
        return (char) input(2);
    }

    public static short nextS() {
        return (short) input(3);
    }

    public static int nextI() {
        return (int) input(4);
    }

    public static long nextJ() {
        return input(5);
    }

    public static float nextF() {
        return Float.intBitsToFloat((int) input(6));
    }

    public static double nextD() {
        return Double.longBitsToDouble(input(7));
    }

    public static Object nextL() {
        int number = (int) input(8);
        return number == 0 ? null : objects[number - 1];
    }

    /** An object of a class that is named, as jCUTE's interface has it. */
    public static Object nextNamed(String name) {
        return nextL();
    }

    /** A string that is not null. */
    public static String nextString() {
        Object found = nextL();
        return found == null ? new String() : (String) found;
    }

    // What replaces calls.

    static XcuteStop stop(int outcome) {
        if (Thread.currentThread() == owner && XcuteThreads.many) {
            XcuteHost.halted(outcome);
            return XcuteThreads.halt();
        }
        if (Thread.currentThread() == owner && stopped == 0) {
            stopped = outcome;
            // Every further event stops the run again, whatever the program catches.
            most = 0;
        }
        return XcuteStop.STOP;
    }

    public static void exit(int status) {
        throw stop(XcuteHost.EXITED);
    }

    public static void assume(boolean holds) {
        if (!holds) throw stop(XcuteHost.REJECTED);
    }

    public static void check(boolean holds) {
        if (holds) return;
        if (Thread.currentThread() == owner && stopped == 0 && !XcuteThreads.many) XcuteHost.tell(new AssertionError());
        throw stop(XcuteHost.ASSERTED);
    }
}
