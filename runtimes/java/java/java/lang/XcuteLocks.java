package java.lang;

/**
 * Permits, and locks for readers and a writer, without the line in which threads wait for them: who gets one is a choice of the schedule.
 *
 * <p>In the JDK they stand in a line. Who comes early gets nothing that it would not get if it came when it can go on, so no run is lost without the line. But one
 * that comes to read waits for a writer that came before, also while others read; and one that wants a permit waits for those that want several. Where all others are
 * stuck, that is a deadlock. So a program that asks for several permits has lines, and so has one in which a thread that reads comes to something that can wait
 * (wire.rs: LINES).
 */
public final class XcuteLocks {
    // wire.rs
    private static final int LINES = 512;
    private static final int READING = 1024;
    /** What is taken. */
    private static final int PERMIT = 0;
    private static final int READ = 1;
    /** Or looked at: a monitor. */
    public static final int MONITOR = 3;

    /** Threads stand in lines. */
    static boolean lines;
    /** This run has shown that they have to. */
    private static boolean needed;

    private XcuteLocks() {}

    static void begin() {
        needed = false;
    }

    /** Whether threads that wait stand in a line. */
    public static boolean inLine() {
        return lines || XcuteThreads.interrupts;
    }

    /** A task announces an operation: one that reads may have to wait here. */
    static void mayWait(XcuteTask self) {
        if (self.reading > 0) needed = true;
    }

    /** What the rows of tasks say of it. */
    static int said(XcuteTask self) {
        return (needed ? LINES : 0) | (self.reading > 0 ? READING : 0);
    }

    private static boolean holds(XcuteThreads.Thing thing, XcuteTask self, int how) {
        return how != PERMIT && (thing.owner == self || how == READ && thing.reads(self) > 0);
    }

    private static boolean isFree(XcuteThreads.Thing thing, int how) {
        return how == PERMIT ? thing.permits > 0 : thing.owner == null && (how == READ || thing.readers == 0);
    }

    private static boolean isOurs() {
        return Thread.currentThread() == XcuteRt.owner;
    }

    /** Takes a permit of those that there are, or a lock, when that is possible. The permit is counted by the caller. */
    public static void acquire(Object object, int how, int permits) {
        if (!isOurs()) return;
        XcuteThreads.Thing thing = XcuteThreads.thing(object);
        XcuteTask self = XcuteThreads.current();
        thing.permits = permits;
        if (!holds(thing, self, how)) {
            boolean waits = !isFree(thing, how);
            if (waits && self.initialising > 0) throw XcuteHost.cannot("a static initialiser that waits");
            // Nobody else is there yet: a thread that waits for ever is one that the engine knows.
            if (waits && !XcuteThreads.many) XcuteThreads.alone();
            if (XcuteThreads.visible()) XcuteThreads.announce(XcuteThreads.ACQUIRE, object, how, 0, 0);
        }
        if (how != PERMIT) take(thing, self, how);
    }

    /** Announces that it takes something if that is possible: whether it is, the caller finds out. The key is the object, and what of it is wanted. */
    public static void trying(Object object, Object key, int how, int permits) {
        if (!isOurs()) return;
        XcuteThreads.thing(object).permits = permits;
        XcuteTask self = XcuteThreads.current();
        // One that failed and tries again, with nothing done in between, waits for it.
        boolean insists = self.insists == key;
        self.insists = null;
        if (!XcuteThreads.visible()) return;
        XcuteThreads.announce(insists ? XcuteThreads.ACQUIRE : XcuteThreads.TRY_ACQUIRE, object, how, 0, insists ? XcuteThreads.AWAITS : 0);
    }

    /** Whether it was, and whether the next try waits for it. */
    public static void tried(Object key, boolean got, boolean again) {
        if (!isOurs()) return;
        // That it was free was seen, too: the next round may find it taken.
        XcuteThreads.current().saw(got || !again ? XcuteThreads.SEVERAL : XcuteThreads.TAKEN, key, 0, 0, XcuteThreads.SEVERAL);
        if (got || !again) XcuteThreads.hidden();
    }

    /** Takes a lock if it is free. */
    public static boolean tries(Object object, Object key, int how) {
        if (!isOurs()) return true;
        XcuteThreads.Thing thing = XcuteThreads.thing(object);
        XcuteTask self = XcuteThreads.current();
        if (!holds(thing, self, how)) {
            trying(object, key, how, 0);
            boolean got = isFree(thing, how);
            self.saw(got ? XcuteThreads.SEVERAL : XcuteThreads.TAKEN, key, 0, 0, XcuteThreads.SEVERAL);
            if (!got) return false;
        }
        take(thing, self, how);
        return true;
    }

    private static void take(XcuteThreads.Thing thing, XcuteTask self, int how) {
        self.held++;
        thing.shared = true;
        if (how == READ) {
            thing.read(self, 1);
            self.reading++;
        } else {
            thing.owner = self;
            thing.depth++;
        }
    }

    /** Gives a permit, which the caller counts, or a lock. */
    public static void release(Object object, int how, int permits) {
        // What leaves its methods because the run is over has nothing to give.
        if (XcuteThreads.stopping || !isOurs()) return;
        XcuteThreads.Thing thing = XcuteThreads.thing(object);
        XcuteTask self = XcuteThreads.current();
        if (how == PERMIT) {
            thing.permits = permits;
            if (XcuteThreads.visible()) XcuteThreads.announce(XcuteThreads.RELEASE, object, how, 0, 0);
            return;
        }
        if (how == READ) {
            int times = thing.reads(self);
            if (times == 0) throw new IllegalMonitorStateException("attempt to unlock read lock, not locked by current thread");
            if (times == 1 && thing.owner != self && XcuteThreads.visible()) XcuteThreads.announce(XcuteThreads.RELEASE, object, how, 0, 0);
            thing.read(self, -1);
            self.reading--;
        } else {
            if (thing.owner != self) throw new IllegalMonitorStateException();
            if (thing.depth == 1 && XcuteThreads.visible()) {
                // From writing to reading is one step, which only those with lines can make.
                if (thing.reads(self) > 0) {
                    needed = true;
                    XcuteThreads.say(self, LINES);
                    throw XcuteRt.stop(XcuteHost.REJECTED);
                }
                XcuteThreads.announce(XcuteThreads.RELEASE, object, how, 0, 0);
            }
            if (--thing.depth == 0) thing.owner = null;
        }
        self.held--;
    }

    /** How often the current thread has a lock. */
    public static int held(Object object, int how) {
        XcuteThreads.Thing thing = XcuteThreads.thing(object);
        XcuteTask self = XcuteThreads.current();
        return how == READ ? thing.reads(self) : thing.owner == self ? thing.depth : 0;
    }

    /** A look at a lock. How often it is read, or whether somebody writes or has it. */
    public static int look(Object object, int how) {
        if (XcuteThreads.visible()) XcuteThreads.announce(XcuteThreads.LOOK, object, how, 0, 0);
        XcuteThreads.Thing thing = XcuteThreads.thing(object);
        return how == READ ? thing.readers : thing.owner == null ? 0 : 1;
    }

    /** What comes is part of the operation that was announced last, until {@link XcuteThreads#plain}. */
    public static void quiet() {
        if (isOurs()) XcuteThreads.current().atomic = 2;
    }

    /** There are this many permits now: whoever wants one learns it. */
    public static void permits(Object object, int permits) {
        if (!isOurs()) return;
        XcuteThreads.thing(object).permits = permits;
        XcuteThreads.permits(object, permits);
    }
}
