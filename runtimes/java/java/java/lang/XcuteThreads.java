package java.lang;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.concurrent.locks.LockSupport;
import jdk.internal.misc.Unsafe;

/**
 * The threads of a program: one of them runs at a time. Before each operation that others can see, it says what it will do, and the engine says who
 * goes on.
 *
 * <p>Monitors are ours: instrumented code takes none of the JVM's. Here is only who has one and how often; whether somebody can take it, the engine
 * knows. Nobody is held in a static initialiser, because the JVM would let others wait for it.
 */
public final class XcuteThreads {
    private static final Unsafe U = Unsafe.getUnsafe();

    // wire.rs: kinds of events, operations, and a row of the table of tasks.
    private static final long POINT = 11L << 56;
    private static final long STEP = 12L << 56;
    private static final long TURN = 13L << 56;
    private static final int ACCESS = 0;
    private static final int LOCK = 1;
    private static final int UNLOCK = 2;
    private static final int WAIT = 3;
    private static final int REACQUIRE = 4;
    private static final int NOTIFY = 5;
    private static final int NOTIFY_ALL = 6;
    private static final int JOIN = 7;
    private static final int TRY_LOCK = 8;
    private static final int PARK = 9;
    private static final int TRY_PARK = 10;
    private static final int UNPARK = 11;
    private static final int INTERRUPT = 12;
    private static final int INTERRUPTED = 13;
    private static final int WAKE = 14;
    private static final int LIVES = 15;
    private static final int ENDS = 16;
    private static final int AGAIN = 17;
    static final int ACQUIRE = 18;
    static final int TRY_ACQUIRE = 19;
    static final int RELEASE = 20;
    static final int LOOK = 21;
    private static final int ALONE = 1;
    private static final int ROW = 96;
    private static final int MOST = 1024;
    private static final int STATE = 0;
    private static final int OPERATION = 4;
    private static final int PARENT = 8;
    private static final int NTH = 12;
    private static final int NAME = 16;
    private static final int OTHER = 20;
    private static final int PLACE = 24;
    private static final int HOW = 28;
    private static final int PERMIT = 32;
    private static final int LOOKS = 36;
    private static final int VALUE = 40;
    private static final int MORE = 48;
    private static final int RUNS = 0;
    private static final int WANTS = 1;
    private static final int ENDED = 2;
    private static final int HALTED = 3;
    private static final int DAEMON = 2;
    private static final int UPDATES = 4;
    static final int AWAITS = 8;
    /** In the place of a place: whether a thread lives. */
    private static final int ALIVE = -1;
    // What a byte of the table of places says.
    private static final int SHARED = 1;
    private static final int WRITES = 2;
    // What a round of a loop looked at.
    private static final int NOTHING = 0;
    static final int CELL = 1;
    private static final int LIFE = 2;
    static final int TAKEN = 3;
    static final int SEVERAL = 4;
    private static final int ORDERED = 16;
    private static final int IDLE = 32;
    private static final int LATE = 64;
    private static final int UNCHANGED = 128;
    private static final int VALUED = 256;

    /** An object that tasks use. */
    static final class Thing {
        int name;
        XcuteTask owner;
        int depth;
        /** It is a lock for readers and a writer. */
        boolean shared;
        /** Permits; who reads how often, by task, and how many do. */
        int permits;
        int readers;
        private int[] times = new int[0];

        int reads(XcuteTask task) {
            return task.index < times.length ? times[task.index] : 0;
        }

        void read(XcuteTask task, int by) {
            if (task.index >= times.length) times = java.util.Arrays.copyOf(times, 2 * task.index + 2);
            times[task.index] += by;
            readers += by;
        }
    }

    private static final IdentityHashMap<Object, Thing> THINGS = new IdentityHashMap<>();
    private static final IdentityHashMap<Thread, XcuteTask> BY_THREAD = new IdentityHashMap<>();
    private static final ArrayList<XcuteTask> POOL = new ArrayList<>();
    private static final XcuteTask FIRST = new XcuteTask();
    private static XcuteTask[] tasks = new XcuteTask[16];
    private static int count;
    private static XcuteTask current;
    /** The program has started a thread in this run. */
    static boolean many;
    /** The run is over: whoever wakes up leaves. */
    static volatile boolean stopping;
    /** Threads of the program interrupt each other. */
    static boolean interrupts;
    /** They interrupt or unpark each other: so others see when one starts. */
    static boolean signals;
    /** They ask whether others live. */
    static boolean lives;
    /** They wait for the monitors of threads, whose ends wake them. */
    static boolean endings;
    /** The program is one with threads. */
    private static boolean on;
    /** By place in the code: whether what it accesses is shared by threads. */
    private static long shared;
    private static long rows;
    /** Threads that the program made, and ours. */
    static int made;
    private static int pools;
    private static Object kept;

    private XcuteThreads() {}

    // A run.

    static void begin(boolean threads, long sharedAt, long rowsAt) {
        on = threads;
        pools = 0;
        kept = null;
        if (!on) return;
        shared = sharedAt;
        rows = rowsAt;
        THINGS.clear();
        BY_THREAD.clear();
        many = stopping = false;
        made = 0;
        XcuteLocks.begin();
        FIRST.begin(0, Thread.currentThread());
        FIRST.runner = Thread.currentThread();
        tasks[0] = current = FIRST;
        count = 1;
        row(FIRST, RUNS, 0, 0, 0);
        XcuteHost.tasks(1);
    }

    /** The first task is at its end: the others run on. Then nobody is left. */
    static void finish() {
        if (!on) return;
        if (many && !stopping) {
            end(FIRST, null);
            FIRST.await();
        }
        stopping = true;
        for (int i = 1; i < count; i++) {
            XcuteTask task = tasks[i];
            while (!task.ended) {
                task.granted = true;
                LockSupport.unpark(task.runner);
                LockSupport.park();
            }
        }
        for (int i = 1; i < count; i++) {
            POOL.add(tasks[i]);
            tasks[i] = null;
        }
        count = 1;
        many = false;
        THINGS.clear();
        BY_THREAD.clear();
    }

    private static void row(XcuteTask task, int state, int operation, int name, int place) {
        long row = rows + (long) task.index * ROW;
        U.putInt(row + STATE, state);
        U.putInt(row + OPERATION, operation);
        U.putInt(row + NAME, name);
        U.putInt(row + PLACE, place);
        permit(task);
    }

    private static void permit(XcuteTask task) {
        U.putInt(rows + (long) task.index * ROW + PERMIT, task.permit || task.interrupted ? 1 : 0);
    }

    // The token.

    /** Says that this task writes the events from now on. */
    static void turn(XcuteTask self) {
        XcuteRt.e(TURN | self.index);
    }

    /** Gives the token to another task, and waits for it. */
    private static void give(XcuteTask self, XcuteTask to) {
        if (to == self) return;
        pass(to);
        self.await();
        if (stopping) throw XcuteStop.STOP;
        turn(self);
    }

    private static void pass(XcuteTask to) {
        current = to;
        XcuteRt.owner = to.runner;
        to.granted = true;
        LockSupport.unpark(to.runner);
    }

    /** Whoever the engine lets run; null if the run is over. */
    private static XcuteTask pick() {
        int chosen = XcuteHost.pick();
        if (chosen < 0) return null;
        XcuteTask task = tasks[chosen];
        task.arm = XcuteHost.arm();
        return task;
    }

    /** The run is over. The host wakes up and sees to it that all tasks end. */
    private static void stop() {
        stopping = true;
        if (XcuteRt.stopped == 0) XcuteRt.stopped = XcuteHost.SCHEDULED;
        XcuteRt.most = 0;
        XcuteRt.owner = FIRST.runner;
        FIRST.granted = true;
        LockSupport.unpark(FIRST.runner);
    }

    /** The run is over, and a task goes on: it was at the end of a synchronized block, which is left in any case. */
    static void leave() {
        if (stopping && Thread.currentThread() instanceof XcuteTask) throw XcuteStop.STOP;
    }

    /** An operation that others can see; goes on when it is done. Which way it is done. */
    static int announce(int operation, Object object, int other, int place, int how) {
        return announce(operation, object, other, place, how, place);
    }

    /** The same, which happens at another place in the code than the one it is about. */
    private static int announce(int operation, Object object, int other, int place, int how, int at) {
        XcuteTask self = current;
        int looks = self.looks;
        self.looks = 0;
        if (operation == ACCESS ? looks == place + 1 : operation == LIVES && looks == ALIVE) how |= AWAITS;
        switch (operation) {
            case ACCESS, AGAIN, TRY_LOCK, UNLOCK, TRY_ACQUIRE, LOOK -> {}
            case LOCK -> self.locked = true;
            case ACQUIRE, RELEASE -> {
                // Other is what of it: a permit is gone for good.
                if (other == 0) self.did |= 1;
                else if (operation == ACQUIRE) self.locked = true;
            }
            case LIVES -> self.saw(LIFE, object, 0, 0, SEVERAL);
            default -> self.did |= 1;
        }
        switch (operation) {
            case LOCK, WAIT, REACQUIRE, JOIN, PARK, AGAIN, ACQUIRE -> XcuteLocks.mayWait(self);
            default -> {
                if ((how & AWAITS) != 0) XcuteLocks.mayWait(self);
            }
        }
        row(self, WANTS, operation, object == null ? 0 : thing(object).name, place);
        long row = rows + (long) self.index * ROW;
        U.putInt(row + OTHER, other);
        if (operation >= ACQUIRE) U.putInt(row + LOOKS, thing(object).permits);
        U.putInt(row + HOW, how | (self.index > 0 && self.thread.isDaemon() ? DAEMON : 0) | (self.idle ? IDLE : 0) | last(self, row));
        XcuteRt.e(POINT | (long) operation << 32 | at);
        XcuteTask to = self.starter;
        self.starter = null;
        if (to == null) to = pick();
        if (to == null) {
            stop();
            throw XcuteStop.STOP;
        }
        give(self, to);
        U.putInt(row + STATE, RUNS);
        XcuteRt.e(STEP | self.index);
        return self.arm;
    }

    /** What is known of the last operation of a task only now. */
    private static int last(XcuteTask self, long row) {
        if (!self.valued && XcuteRt.says(self.read)) {
            self.valued = true;
            self.value = XcuteRt.said(self.read);
        }
        int how = (self.unchanged ? UNCHANGED : 0) | (self.valued ? VALUED : 0) | XcuteLocks.said(self);
        U.putLong(row + VALUE, self.value);
        self.read = -1;
        self.unchanged = self.valued = self.writes = false;
        return how;
    }

    /** A task waits until something of what a round of a loop looked at has changed. */
    private static void announceAgain(XcuteTask self, XcuteLooks seen, int at) {
        long row = rows + (long) self.index * ROW;
        U.putInt(row + LOOKS, seen.looks << 16 | seen.cells);
        for (int i = 1; i < seen.cells; i++) {
            long more = row + MORE + 12 * (i - 1);
            U.putInt(more, seen.objects[i] == null ? 0 : thing(seen.objects[i]).name);
            U.putInt(more + 4, seen.indices[i]);
            U.putInt(more + 8, seen.places[i]);
        }
        announce(AGAIN, seen.objects[0], seen.indices[0], seen.places[0], 0, at);
    }

    /** A task stops for good, with all that it has, as if it were slow from here on: it failed, or wants the program to end. The others run on. */
    static XcuteStop halt() {
        XcuteTask self = current;
        if (stopping) return XcuteStop.STOP;
        XcuteLocks.mayWait(self);
        long row = rows + (long) self.index * ROW;
        U.putInt(row + HOW, last(self, row));
        U.putInt(row + STATE, HALTED);
        XcuteTask to = self.starter;
        self.starter = null;
        if (to == null) to = pick();
        if (to == null) {
            stop();
        } else {
            pass(to);
            self.await();
        }
        return XcuteStop.STOP;
    }

    /** A task has nothing more to do. */
    static void end(XcuteTask self, Throwable thrown) {
        self.ended = true;
        if (stopping) {
            LockSupport.unpark(FIRST.runner);
            return;
        }
        boolean broken = XcuteRt.stopped != 0;
        if (thrown != null && !broken) {
            XcuteRt.owner = null;
            XcuteHost.uncaught(self.index, thrown);
        }
        XcuteLocks.mayWait(self);
        long row = rows + (long) self.index * ROW;
        U.putInt(row + HOW, last(self, row));
        U.putInt(row + STATE, ENDED);
        XcuteTask to = self.starter;
        self.starter = null;
        if (to == null && !broken) to = pick();
        if (to == null || broken) {
            stop();
        } else {
            pass(to);
        }
    }

    /** Says more of a task that makes no further step. */
    static void say(XcuteTask self, int how) {
        long row = rows + (long) self.index * ROW;
        U.putInt(row + HOW, U.getInt(row + HOW) | how);
    }

    /** Tasks that want permits of an object learn how many there are. */
    static void permits(Object object, int permits) {
        if (!many) return;
        int name = thing(object).name;
        for (int i = 0; i < count; i++) {
            long row = rows + (long) i * ROW;
            if (U.getInt(row + STATE) == WANTS && U.getInt(row + OPERATION) >= ACQUIRE && U.getInt(row + NAME) == name) U.putInt(row + LOOKS, permits);
        }
    }

    static XcuteTask current() {
        return current;
    }

    /** The task that has the token. */
    static int self() {
        return current.index;
    }

    // Objects.

    static Thing thing(Object object) {
        Thing found = THINGS.get(object);
        if (found == null) {
            found = new Thing();
            found.name = current.index << 20 | ++current.named;
            THINGS.put(object, found);
        }
        return found;
    }

    /** Whether this thread's operations are to be announced. */
    static boolean visible() {
        return many && Thread.currentThread() == XcuteRt.owner && current.initialising == 0;
    }

    /** Before an access to a field; null where it is static. */
    public static void p(Object object, int place) {
        if (many) use(object, 0, place);
    }

    /** Before an access to a field of an object. */
    public static void f(Object object, int place) {
        if (many && object != null) use(object, 0, place);
    }

    private static void use(Object object, int index, int place) {
        int what = U.getByte(shared + place);
        if (what == 0 || Thread.currentThread() != XcuteRt.owner) return;
        XcuteTask self = current;
        boolean writes = (what & WRITES) != 0;
        if (writes && self.atomic == 0) self.did |= 1;
        if ((what & SHARED) != 0 && self.initialising == 0) access(object, index, place, writes);
    }

    /** A loop begins that may only wait, or goes round once more. An interrupt may end its sleep. */
    public static void again(int place) {
        if (!many || Thread.currentThread() != XcuteRt.owner) return;
        XcuteTask self = current;
        boolean round = self.closing == place + 1 && self.loop == place + 1;
        self.closing = self.looks = 0;
        self.patient = false;
        self.insists = null;
        if (round && self.did == 0 && self.held == self.heldBefore && !interrupts && self.initialising == 0) waits(self, place);
        self.loop = place + 1;
        self.did = self.sight = 0;
        self.heldBefore = self.held;
        self.locked = self.timed = false;
        self.seen.clear();
    }

    /** A round did nothing, so the next one does the same until what it looked at changes. One that took a lock waits for that before it takes it again. */
    private static void waits(XcuteTask self, int place) {
        if (self.timed) waitsForTime(self, place);
        else if (self.sight == TAKEN) self.insists = self.seen.objects[0];
        else if (self.sight == CELL && (self.locked || self.seen.looks > 1)) announceAgain(self, self.seen, place);
        else if (self.sight == CELL) self.looks = self.seen.places[0] + 1;
        else if (self.sight == LIFE && !self.locked) self.looks = ALIVE;
    }

    /**
     * A round did nothing but wait until its time was over, as if it had not been: the one before could have waited for longer. The next one waits for a change
     * of what was looked at; under a lock it does so where it gives that back, in its next wait.
     */
    private static void waitsForTime(XcuteTask self, int place) {
        if (self.sight != CELL) return;
        if (self.held == 0) {
            announceAgain(self, self.seen, place);
        } else {
            self.patient = true;
            self.patientOn.take(self.seen);
        }
    }

    /** A loop that may only wait goes round once more, unless {@link #leaves} follows. */
    public static void closes(int place) {
        if (many && Thread.currentThread() == XcuteRt.owner) current.closing = place + 1;
    }

    public static void leaves(int place) {
        if (many && Thread.currentThread() == XcuteRt.owner) current.closing = 0;
    }

    /** A method with such loops ends. It may have been called in a round of one of them. */
    public static void endsLoops() {
        if (many && Thread.currentThread() == XcuteRt.owner) current.loop = current.closing = 0;
    }

    /** Code is called that is not followed: it may do anything. */
    public static void hidden() {
        if (many && Thread.currentThread() == XcuteRt.owner) current.did |= 1;
    }

    /** The first access of an atomic operation stands for all of it. */
    private static void access(Object object, int index, int place, boolean writes) {
        XcuteTask self = current;
        if (self.atomic == 2) {
            self.writes = writes;
            return;
        }
        if (self.atomic == 1 || !writes) self.saw(CELL, object, index, place, SEVERAL);
        if (self.atomic == 1) {
            // One that changed nothing before waits until somebody has written, and then tries again.
            if (self.looks == place + 1) announce(ACCESS, object, index, place, 0);
            self.did = self.did == 0 ? 2 : 3;
        }
        announce(ACCESS, object, index, place, self.atomic == 1 ? UPDATES : self.atomic == 3 ? ORDERED : 0);
        if (self.atomic == 1) self.atomic = 2;
        self.writes = writes;
        self.read = writes ? -1 : XcuteRt.used();
    }

    // What is written, right before that.

    public static void v(int value) {
        if (many && Thread.currentThread() == XcuteRt.owner) writes(value & 0xffffffffL);
    }

    public static void v(long value) {
        if (many && Thread.currentThread() == XcuteRt.owner) writes(value);
    }

    public static void v(float value) {
        if (many && Thread.currentThread() == XcuteRt.owner) writes(Float.floatToRawIntBits(value) & 0xffffffffL);
    }

    public static void v(double value) {
        if (many && Thread.currentThread() == XcuteRt.owner) writes(Double.doubleToRawLongBits(value));
    }

    public static void v(Object value) {
        if (many && Thread.currentThread() == XcuteRt.owner && current.writes) writes(XcuteRt.number(value) & 0xffffffffL);
    }

    private static void writes(long value) {
        XcuteTask self = current;
        if (!self.writes) return;
        self.writes = false;
        self.valued = true;
        self.value = value;
    }

    /** What comes is one operation on one field, until {@link #plain}. */
    public static void atomic() {
        if (on && Thread.currentThread() == XcuteRt.owner) current.atomic = 1;
    }

    /** The atomic operation changed nothing. */
    public static void unchanged() {
        if (!on || Thread.currentThread() != XcuteRt.owner) return;
        current.unchanged = many;
        current.did &= 1;
    }

    /** What comes is volatile, until {@link #plain}. */
    public static void ordered() {
        if (on && Thread.currentThread() == XcuteRt.owner) current.atomic = 3;
    }

    public static void plain() {
        if (on && Thread.currentThread() == XcuteRt.owner) current.atomic = 0;
    }

    /** Before an access to an element. */
    public static void q(Object array, int index, int place) {
        if (many && array != null && index >= 0 && index < java.lang.reflect.Array.getLength(array)) use(array, index, place);
    }

    /** A model cannot go on: this is a limit of the search. It does not return. */
    public static RuntimeException unsupported(String what) {
        throw XcuteHost.cannot(what);
    }

    /** A model does less than what it stands for: the search is not complete, and says this. */
    public static void coarse(String what) {}

    /** The same, where it is the program that calls the method of the model. */
    public static void coarseForProgram(String what) {}

    /** The same, where there are several threads. */
    public static void coarseForThreads(String what) {}

    /** How many pools were made in this run, this one included; negative where another task than the first makes it. */
    public static int pools() {
        pools++;
        if (current != null) current.did |= 1;
        return current == null || current == FIRST ? pools : -pools;
    }

    /** What models keep for the time of a run. Static fields would have to be made again after each. */
    public static Object kept() {
        return kept;
    }

    public static void keep(Object object) {
        kept = object;
        if (current != null) current.did |= 1;
    }

    /** The current task is one of a pool, and has nothing to do from now on, or has again. */
    public static void idle(boolean idle) {
        if (on && Thread.currentThread() == XcuteRt.owner) current.idle = idle;
    }

    /** The current task is one of a pool that may have fewer threads than tasks. */
    public static void pooled() {}

    /** Whether the current task has a monitor. */
    public static boolean holdsMonitors() {
        if (!many || Thread.currentThread() != XcuteRt.owner) return false;
        for (Thing thing : THINGS.values()) {
            if (thing.owner == current) return true;
        }
        return false;
    }

    /** Throws where a thread was interrupted. */
    public static void checkInterrupt() throws InterruptedException {
        if (interrupts && test(current, true, 0)) throw new InterruptedException();
    }

    // Monitors.

    public static void enter(Object object, int place) {
        if (object == null) throw new NullPointerException();
        if (Thread.currentThread() != XcuteRt.owner) return;
        Thing thing = thing(object);
        if (thing.owner != current) {
            if (visible()) announce(LOCK, object, 0, place, 0);
            thing.owner = current;
        }
        thing.depth++;
        current.held++;
    }

    /** It does not stop the run: the handler of a synchronized block covers itself. */
    public static void exit(Object object, int place) {
        if (stopping || Thread.currentThread() != XcuteRt.owner) return;
        Thing thing = thing(object);
        if (thing.owner != current) throw new IllegalMonitorStateException("current thread is not owner");
        if (thing.depth == 1) {
            try {
                if (visible()) announce(UNLOCK, object, 0, place, 0);
            } catch (XcuteStop stop) {
                return;
            }
            thing.owner = null;
        }
        thing.depth--;
        current.held--;
    }

    public static void enterMethod(Object object, int place) {
        enter(object, place);
        if (Thread.currentThread() != XcuteRt.owner) return;
        XcuteTask self = current;
        if (self.depth == self.methods.length) self.methods = java.util.Arrays.copyOf(self.methods, 2 * self.depth);
        self.methods[self.depth++] = object;
    }

    public static void leaveMethod(int place) {
        if (stopping || Thread.currentThread() != XcuteRt.owner || current.depth == 0) return;
        XcuteTask self = current;
        Object object = self.methods[--self.depth];
        self.methods[self.depth] = null;
        exit(object, place);
    }

    /** A static initialiser begins, or ends. */
    public static void initialising(int by) {
        if (on && Thread.currentThread() == XcuteRt.owner && !stopping) current.initialising += by;
    }

    private static Thing owned(Object object) {
        if (object == null) throw new NullPointerException();
        Thing thing = thing(object);
        if (thing.owner != current) throw new IllegalMonitorStateException("current thread is not owner");
        return thing;
    }

    public static void await(Object object, int place) throws InterruptedException {
        await(object, object, false, interrupts, place);
    }

    public static void await(Object object, long milliseconds, int place) throws InterruptedException {
        if (milliseconds < 0) throw new IllegalArgumentException("timeout value is negative");
        await(object, object, milliseconds > 0, interrupts, place);
    }

    /** Waits for a condition of a lock; whether it was woken, and not the time over. */
    public static boolean await(Object condition, Object lock, boolean timed) throws InterruptedException {
        return await(condition, lock, timed, interrupts, 0);
    }

    /** Waits until it is woken or, when nobody else can go on, until its time comes; whether it was woken. */
    public static boolean awaitLate(Object condition, Object lock) throws InterruptedException {
        current.late = true;
        try {
            return await(condition, lock, true, interrupts, 0);
        } finally {
            if (!stopping) current.late = false;
        }
    }

    /** The same, whether or not it is interrupted. */
    public static void awaitUninterruptibly(Object condition, Object lock) {
        try {
            await(condition, lock, false, false, 0);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean await(Object condition, Object lock, boolean timed, boolean interruptible, int place) throws InterruptedException {
        Thing thing = owned(lock);
        if (interruptible && test(current, true, place)) throw new InterruptedException();
        XcuteTask self = current;
        if (self.initialising > 0) throw XcuteHost.cannot("a static initialiser that waits");
        // Nobody else is there yet: a thread that waits for ever is one that the engine knows.
        if (!many) alone();
        int depth = thing.depth, did = self.did;
        boolean ends = timed && !self.late;
        if (ends && self.patient && did == 0 && self.held == self.heldBefore) {
            waitForChange(self, thing, lock, place);
            return false;
        }
        announce(WAIT, condition, thing.name, place, 0);
        thing.owner = null;
        thing.depth = 0;
        // Who was interrupted on the way here leaves at once, unless it was notified already.
        if (interruptible && test(self, false, place)) self.kicked = announce(WAKE, condition, self.index, place, 0) != 0;
        self.awaited = interruptible ? condition : null;
        int way = announce(REACQUIRE, condition, thing.name, place, !timed ? 0 : self.late ? ALONE | LATE : ALONE);
        self.awaited = null;
        thing.owner = self;
        thing.depth = depth;
        boolean out = self.kicked;
        self.kicked = false;
        if (out && test(self, true, place)) throw new InterruptedException();
        // Its time was over: nobody knows that it has waited.
        if (ends && way != 0 && !out) {
            self.did = did;
            self.timed = true;
        }
        return way == 0;
    }

    /** A wait that ends by its time, not before what the round before looked at has changed. */
    private static void waitForChange(XcuteTask self, Thing thing, Object lock, int place) {
        int depth = thing.depth;
        boolean locked = self.locked;
        announce(UNLOCK, lock, 0, place, 0);
        thing.owner = null;
        thing.depth = 0;
        announceAgain(self, self.patientOn, place);
        announce(LOCK, lock, 0, place, 0);
        thing.owner = self;
        thing.depth = depth;
        self.locked = locked;
        self.timed = true;
    }

    // Interrupts and permits.

    private static XcuteTask task(Thread thread) {
        return thread == FIRST.thread ? FIRST : BY_THREAD.get(thread);
    }

    /** Whether a task was interrupted. */
    private static boolean test(XcuteTask task, boolean clears, int place) {
        if (visible()) announce(INTERRUPTED, task.thread, task.index, place, clears ? UPDATES : 0);
        boolean was = task.interrupted;
        if (clears) task.interrupted = false;
        permit(task);
        return was;
    }

    public static void interrupt(Thread thread, int place) {
        if (thread == null) throw new NullPointerException();
        XcuteTask task = task(thread);
        if (visible()) announce(INTERRUPT, thread, task == null ? current.index : task.index, place, 0);
        if (task == null) task = task(thread);
        if (task == null) throw XcuteHost.cannot("an interrupt of a thread that was not started");
        long row = rows + (long) task.index * ROW;
        int wants = U.getInt(row + STATE) == WANTS ? U.getInt(row + OPERATION) : ACCESS;
        // One that waits in lockInterruptibly would leave. Another order has that: it comes there when it has been interrupted already. In this one it is
        // as if the interrupt came late.
        if (visible() && wants == LOCK && task.interruptible) throw XcuteRt.stop(XcuteHost.REJECTED);
        task.interrupted = true;
        permit(task);
        if (!visible()) return;
        if (wants == REACQUIRE && task.awaited != null) task.kicked |= announce(WAKE, task.awaited, task.index, place, 0) != 0;
        // Who is parked goes on.
        announce(UNPARK, thread, task.index, place, 0);
    }

    public static boolean isInterrupted(Thread thread, int place) {
        if (thread == null) throw new NullPointerException();
        XcuteTask task = task(thread);
        return task != null && interrupts && test(task, false, place);
    }

    public static boolean interrupted(int place) {
        return interrupts && test(current, true, place);
    }

    private static void park(int operation, int place) {
        XcuteTask self = current;
        if (self.initialising > 0) throw XcuteHost.cannot("a static initialiser that parks");
        if (!many && operation == PARK && !self.permit && !self.interrupted) alone();
        if (visible()) announce(operation, self.thread, self.index, place, 0);
        self.permit = false;
        permit(self);
    }

    public static void park(int place) {
        park(PARK, place);
    }

    public static void park(Object blocker, int place) {
        park(PARK, place);
    }

    /** Waiting for a time is trying later. */
    public static void parkNanos(long time, int place) {
        park(TRY_PARK, place);
    }

    public static void parkNanos(Object blocker, long time, int place) {
        park(TRY_PARK, place);
    }

    public static void unpark(Thread thread, int place) {
        XcuteTask task = thread == null ? null : task(thread);
        if (thread != null && visible()) announce(UNPARK, thread, task == null ? current.index : task.index, place, 0);
        // It is lost where the thread has not been started.
        if (thread != null) task = task(thread);
        if (task == null || task.ended) return;
        task.permit = true;
        permit(task);
    }

    /** Takes a lock, unless it is interrupted before. */
    public static void enterInterruptibly(Object object) throws InterruptedException {
        if (interrupts && test(current, true, 0)) throw new InterruptedException();
        XcuteTask self = current;
        self.interruptible = interrupts;
        enter(object, 0);
        self.interruptible = false;
    }

    public static void wake(Object condition, Object lock, boolean all) {
        owned(lock);
        if (visible()) announce(all ? NOTIFY_ALL : NOTIFY, condition, 0, 0, 0);
    }

    /** Takes a lock if it is free. */
    public static boolean tryEnter(Object object) {
        Thing thing = thing(object);
        XcuteTask self = current;
        if (thing.owner != self) {
            // One that failed and tries again, with nothing done in between, waits for the lock.
            boolean insists = self.insists == object;
            self.insists = null;
            if (visible()) announce(insists ? LOCK : TRY_LOCK, object, 0, 0, insists ? AWAITS : 0);
            if (thing.owner != null) {
                self.saw(TAKEN, object, 0, 0, SEVERAL);
                return false;
            }
            // That it was free was seen, too: the next round may find it taken.
            self.saw(SEVERAL, object, 0, 0, SEVERAL);
            thing.owner = self;
        }
        thing.depth++;
        self.held++;
        return true;
    }

    public static void await(Object object, long milliseconds, int nanoseconds, int place) throws InterruptedException {
        await(object, nanoseconds > 0 && milliseconds < Long.MAX_VALUE ? milliseconds + 1 : milliseconds, place);
    }

    public static void wake(Object object, int place) {
        owned(object);
        if (visible()) announce(NOTIFY, object, 0, place, 0);
    }

    public static void wakeAll(Object object, int place) {
        owned(object);
        if (visible()) announce(NOTIFY_ALL, object, 0, place, 0);
    }

    // Threads.

    /** From now on operations are announced; first the locks that the first task has already. */
    static void alone() {
        many = true;
        Object[] held = THINGS.keySet().toArray();
        // It has them: it does not wait.
        int reading = FIRST.reading;
        FIRST.reading = 0;
        // The order in which they were met: that of the map is another one in each run.
        for (int name = 1; name <= FIRST.named; name++) {
            for (Object object : held) {
                Thing thing = THINGS.get(object);
                if (thing.name != name) continue;
                if (thing.shared && thing.owner == null && thing.readers > 0) announce(ACQUIRE, object, 1, 0, 0);
                else if (thing.owner != null) announce(thing.shared ? ACQUIRE : LOCK, object, thing.shared ? 2 : 0, 0, 0);
            }
        }
        FIRST.reading = reading;
    }

    public static void made() {
        if (stopping || Thread.currentThread() == XcuteRt.owner) made++;
    }

    /** Whether starting a thread would do something else: a call through the type Thread comes here all the same. */
    private static boolean overridden(Thread thread) {
        try {
            return thread.getClass().getMethod("start").getDeclaringClass() != Thread.class;
        } catch (NoSuchMethodException e) {
            return true;
        }
    }

    public static void start(Thread thread, int place) {
        if (thread == null) throw new NullPointerException();
        // What leaves its methods because the run is over starts nobody.
        if (stopping) throw XcuteStop.STOP;
        if (BY_THREAD.containsKey(thread) || thread == FIRST.thread) throw new IllegalThreadStateException();
        if (overridden(thread)) throw XcuteHost.cannot("a class that overrides Thread.start");
        if (!many) alone();
        XcuteTask self = current;
        if (signals && self.initialising == 0) announce(UNPARK, thread, self.index, place, 0);
        if (lives && self.initialising == 0) announce(ENDS, thread, self.index, place, 0);
        if (count >= MOST || self.initialising > 0) throw XcuteHost.cannot(count >= MOST ? "more than 1024 threads were started" : "a thread that a static initialiser starts");
        if (POOL.isEmpty()) {
            POOL.add(new XcuteTask());
            made++;
        }
        XcuteTask task = POOL.remove(POOL.size() - 1);
        task.begin(count, thread);
        if (count == tasks.length) tasks = java.util.Arrays.copyOf(tasks, 2 * count);
        tasks[count++] = task;
        BY_THREAD.put(thread, task);
        row(task, RUNS, 0, 0, place);
        long row = rows + (long) task.index * ROW;
        U.putInt(row + PARENT, self.index);
        U.putInt(row + NTH, ++self.children);
        U.putInt(row + HOW, thread.isDaemon() ? DAEMON : 0);
        XcuteHost.tasks(count);
        task.starter = self;
        task.launch();
        give(self, task);
    }

    public static void join(Thread thread, int place) throws InterruptedException {
        if (thread == null) throw new NullPointerException();
        if (interrupts && test(current, true, place)) throw new InterruptedException();
        XcuteTask task = task(thread);
        if (task == null || !visible()) return;
        if (interrupts) {
            if (task == FIRST) throw XcuteHost.cannot("a thread that joins the one which calls the tested method");
            joinInterruptibly(task, place);
        } else {
            announce(JOIN, null, task.index, place, 0);
        }
    }

    /** As the JDK's: it waits for a condition of the thread, so that an interrupt can end that. */
    private static void joinInterruptibly(XcuteTask task, int place) throws InterruptedException {
        enter(task, place);
        try {
            while (!task.over) await(task, task, false, true, place);
        } finally {
            exit(task, place);
        }
    }

    /** The last steps of a task, where others can see them. As in the JVM, it is under its own monitor when it ceases to be alive, and wakes whoever waits for that. */
    static void over(XcuteTask self) {
        if (stopping || XcuteRt.stopped != 0 || !many) return;
        Thread thread = self.thread;
        if (endings) enter(thread, 0);
        if (lives) announce(ENDS, thread, self.index, 0, 0);
        self.dead = true;
        if (interrupts) enter(self, 0);
        self.over = true;
        if (interrupts) {
            wakeAll(self, 0);
            exit(self, 0);
        }
        if (endings) {
            wakeAll(thread, 0);
            exit(thread, 0);
        }
    }

    public static boolean isAlive(Thread thread, int place) {
        if (thread == null) throw new NullPointerException();
        XcuteTask task = task(thread);
        if (visible()) announce(LIVES, thread, task == null ? current.index : task.index, place, 0);
        task = task(thread);
        // The first thread goes on after what is tested.
        return task != null && (task == FIRST || !task.dead);
    }

    /** Whether a thread was started, in this run. */
    public static boolean started(Thread thread) {
        return task(thread) != null;
    }

    /** Waiting for a time, and no longer: nobody knows what has happened then. */
    public static void join(Thread thread, long milliseconds, int place) throws InterruptedException {
        if (milliseconds < 0) throw new IllegalArgumentException("timeout value is negative");
        if (milliseconds == 0) {
            join(thread, place);
        } else if (interrupts && test(current, true, place)) {
            throw new InterruptedException();
        }
    }

    public static Thread currentThread(int place) {
        return on && Thread.currentThread() == XcuteRt.owner ? current.thread : Thread.currentThread();
    }

    public static void yield(int place) {}

    public static void sleep(long milliseconds, int place) throws InterruptedException {
        if (milliseconds < 0) throw new IllegalArgumentException("timeout value is negative");
        if (interrupts && test(current, true, place)) throw new InterruptedException("sleep interrupted");
    }

    public static void sleep(java.util.concurrent.TimeUnit unit, long time, int place) throws InterruptedException {
        if (unit == null) throw new NullPointerException();
        if (time > 0) sleep(1, place);
    }

    public static void sleep(long milliseconds, int nanoseconds, int place) throws InterruptedException {
        if (nanoseconds < 0 || nanoseconds > 999999) throw new IllegalArgumentException("nanosecond timeout value out of range");
        sleep(milliseconds, place);
    }

    /** How often the current thread has a lock. */
    public static int depth(Object object) {
        Thing thing = thing(object);
        return thing.owner == current ? thing.depth : 0;
    }

    public static boolean holdsLock(Object object, int place) {
        if (object == null) throw new NullPointerException();
        return thing(object).owner == current;
    }
}
