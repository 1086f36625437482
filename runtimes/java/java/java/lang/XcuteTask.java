package java.lang;

import java.util.concurrent.locks.LockSupport;
import jdk.internal.misc.Unsafe;

/**
 * A task of a run: the first thread, or one that the program started.
 *
 * <p>A thread of the program never runs itself: its body runs on a thread of ours, which serves one run after the other. So a schedule costs no new
 * threads, and nobody runs before it has the token.
 */
final class XcuteTask extends Thread {
    private static final Unsafe U = Unsafe.getUnsafe();
    /** In later versions these fields are private. */
    private static final long LOCALS = U.objectFieldOffset(Thread.class, "threadLocals");
    private static final long INHERITED = U.objectFieldOffset(Thread.class, "inheritableThreadLocals");
    /** Who it is, in this run. */
    int index;
    /** The program's thread. */
    Thread thread;
    /** Our thread that runs it: this one, or that of the host. */
    Thread runner;
    /** Has the token, or is to have it. */
    volatile boolean granted;
    /** Who gets the token back once this one has come to its first operation. */
    XcuteTask starter;
    /** Which way the operation is done. */
    int arm;
    volatile boolean ended;
    /** Its body has returned: those who join it can see that, and those who ask whether it lives. */
    boolean over;
    boolean dead;
    /** Threads that it has started. */
    int children;
    /** Objects that it was the first to use. */
    int named;
    /** Static initialisers that it is in. */
    int initialising;
    /** 1: an atomic operation begins, 2: it is under way. */
    int atomic;
    /** Was interrupted, and has not been told yet; the wait that it is in ends because of that. */
    boolean interrupted;
    boolean kicked;
    /** Need not park. */
    boolean permit;
    /** The condition that it waits for. */
    Object awaited;
    /** The lock that it wants would let itself be interrupted. */
    boolean interruptible;
    /** It belongs to a pool, and has nothing to do. */
    boolean idle;
    /** It waits for a time that comes when nobody else can go on. */
    boolean late;
    /** Its last atomic operation changed nothing, which has not been said yet. */
    boolean unchanged;
    /** The loop that it is in and that may only wait, and the one that it closes; from 1. */
    int loop;
    int closing;
    /** In this round: 1 if it did something that lasts, and 2 if its last atomic operation may have. */
    int did;
    /** In this round: whether it took a lock, and how many it had before. */
    boolean locked;
    int heldBefore;
    int held;
    /** Locks that it has for reading. */
    int reading;
    /** What kind of thing it looked at in this round, and what. */
    int sight;
    final XcuteLooks seen = new XcuteLooks();
    /** In this round, a wait ended by its time. */
    boolean timed;
    /** The next wait for a time waits for a change of this. */
    boolean patient;
    final XcuteLooks patientOn = new XcuteLooks();
    /** Where the event will be that says what its last access read; -1 if there is none. */
    long read;
    /** It is about to write what it has announced. */
    boolean writes;
    /** The value of the memory that it accessed last, if that is known. */
    boolean valued;
    long value;
    /** Where it looks again, and has not since; from 1. The lock that it tries to take again. */
    int looks;
    Object insists;
    /** The objects of synchronized methods that it is in. */
    Object[] methods = new Object[8];
    int depth;
    private volatile boolean busy;

    XcuteTask() {
        super(null, null, "xcute", 0, false);
        setDaemon(true);
        runner = this;
    }

    /** Gets ready for a run. */
    void begin(int number, Thread of) {
        index = number;
        thread = of;
        granted = false;
        starter = null;
        arm = children = named = initialising = atomic = depth = 0;
        loop = closing = did = heldBefore = held = reading = sight = looks = 0;
        ended = over = dead = interrupted = kicked = permit = interruptible = idle = late = unchanged = locked = timed = false;
        patient = writes = valued = false;
        read = -1;
        awaited = insists = null;
        seen.clear();
        patientOn.clear();
    }

    /** It looks at something: a cell, or the only other thing that it looks at. */
    void saw(int what, Object object, int at, int place, int several) {
        boolean same = sight == 0 || sight == what && (what == XcuteThreads.CELL || seen.is(object));
        sight = same && seen.add(object, at, place) ? what : several;
    }

    /** Lets it run its thread; it waits for the token first. */
    void launch() {
        busy = true;
        if (isAlive()) {
            LockSupport.unpark(this);
        } else {
            start();
        }
    }

    /** Waits until it has the token. */
    void await() {
        while (!granted) LockSupport.park();
        granted = false;
    }

    @Override
    public void run() {
        while (true) {
            while (!busy) LockSupport.park();
            busy = false;
            await();
            // What the program kept for the threads of earlier runs is not for this one.
            U.putReference(this, LOCALS, null);
            U.putReference(this, INHERITED, U.getReference(thread, INHERITED));
            setContextClassLoader(thread.getContextClassLoader());
            Throwable thrown = null;
            try {
                if (!XcuteThreads.stopping) {
                    XcuteThreads.turn(this);
                    thread.run();
                }
            } catch (Throwable t) {
                thrown = t;
            }
            try {
                XcuteThreads.over(this);
            } catch (XcuteStop stop) {
                // The run is over.
            }
            XcuteThreads.end(this, thrown);
        }
    }
}
