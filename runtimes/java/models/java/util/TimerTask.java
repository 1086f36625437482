package java.util;

/** As the JDK's. The timer has the monitor of the task while it looks at it, as in the JDK. */
public abstract class TimerTask implements Runnable {
    static final int NEW = 0;
    static final int SCHEDULED = 1;
    static final int EXECUTED = 2;
    static final int CANCELLED = 3;

    final Object lock = new Object();
    int state;
    /** It runs again and again; how often it did. */
    boolean repeats;
    int times;

    protected TimerTask() {}

    @Override
    public abstract void run();

    public boolean cancel() {
        synchronized (lock) {
            boolean waits = state == SCHEDULED;
            state = CANCELLED;
            return waits;
        }
    }

    public long scheduledExecutionTime() {
        XcuteThreads.coarse("java.util.TimerTask.scheduledExecutionTime: what time it is is not known");
        return 0;
    }
}
