package java.util;

/**
 * As the JDK's: one thread, which runs tasks some time after they were handed in. Of two that wait, the earlier one comes first. A task that runs again and
 * again does so at any time for the first two times, and then only when nobody else can go on.
 */
public class Timer {
    private final Object monitor = new Object();
    private final ArrayDeque<TimerTask> queue = new ArrayDeque<>();
    /** Tasks whose time comes again when nobody else can go on. */
    private final ArrayDeque<TimerTask> later = new ArrayDeque<>();
    private final Thread thread;
    private long longest;
    private boolean over;

    public Timer() {
        this("Timer", false);
    }

    public Timer(boolean daemon) {
        this("Timer", daemon);
    }

    public Timer(String name) {
        this(name, false);
    }

    public Timer(String name, boolean daemon) {
        thread = new Thread(this::work);
        thread.setName(name);
        thread.setDaemon(daemon);
        thread.start();
    }

    private void work() {
        try {
            for (TimerTask task = next(); task != null; task = next()) {
                if (begins(task)) task.run();
                repeat(task);
            }
        } finally {
            cancel();
        }
    }

    private TimerTask next() {
        boolean woken = true;
        synchronized (monitor) {
            while (true) {
                if (over) return null;
                TimerTask task = queue.poll();
                if (task == null && !woken) task = later.poll();
                if (task != null) return task;
                XcuteThreads.idle(true);
                try {
                    woken = later.isEmpty();
                    if (woken) monitor.wait();
                    else woken = XcuteThreads.awaitLate(monitor, monitor);
                } catch (InterruptedException e) {
                    // Nobody has this thread.
                } finally {
                    XcuteThreads.idle(false);
                }
            }
        }
    }

    private static boolean begins(TimerTask task) {
        synchronized (task.lock) {
            if (task.state != TimerTask.SCHEDULED) return false;
            if (!task.repeats) task.state = TimerTask.EXECUTED;
            task.times++;
            return true;
        }
    }

    private void repeat(TimerTask task) {
        boolean often;
        synchronized (task.lock) {
            if (!task.repeats || task.state != TimerTask.SCHEDULED) return;
            often = task.times >= 2;
        }
        synchronized (monitor) {
            if (!over) (often ? later : queue).add(task);
        }
    }

    private void scheduled(TimerTask task, long delay, boolean repeats) {
        if (repeats) {
            XcuteThreads.coarse("java.util.Timer: a task runs again at any time only once, and later when no other thread can go on");
        }
        synchronized (monitor) {
            if (over) throw new IllegalStateException("Timer already cancelled.");
            synchronized (task.lock) {
                if (task.state != TimerTask.NEW) throw new IllegalStateException("Task already scheduled or cancelled");
                task.state = TimerTask.SCHEDULED;
                task.repeats = repeats;
            }
            if (!queue.isEmpty() && delay < longest) {
                XcuteThreads.coarse("java.util.Timer: a task with a shorter delay than an earlier one may run before or after it");
            }
            if (queue.isEmpty() || delay > longest) longest = delay;
            queue.add(task);
            monitor.notify();
        }
    }

    private static long checked(long delay) {
        if (delay < 0) throw new IllegalArgumentException("Negative delay.");
        return delay;
    }

    private static void checkPeriod(long period) {
        if (period <= 0) throw new IllegalArgumentException("Non-positive period.");
    }

    public void schedule(TimerTask task, long delay) {
        scheduled(task, checked(delay), false);
    }

    public void schedule(TimerTask task, Date time) {
        scheduled(task, time.getTime(), false);
    }

    public void schedule(TimerTask task, long delay, long period) {
        checked(delay);
        checkPeriod(period);
        scheduled(task, delay, true);
    }

    public void schedule(TimerTask task, Date first, long period) {
        checkPeriod(period);
        scheduled(task, first.getTime(), true);
    }

    public void scheduleAtFixedRate(TimerTask task, long delay, long period) {
        schedule(task, delay, period);
    }

    public void scheduleAtFixedRate(TimerTask task, Date first, long period) {
        schedule(task, first, period);
    }

    public void cancel() {
        synchronized (monitor) {
            over = true;
            queue.clear();
            later.clear();
            monitor.notify();
        }
    }

    public int purge() {
        synchronized (monitor) {
            int gone = 0;
            for (Iterator<TimerTask> all = queue.iterator(); all.hasNext(); ) {
                TimerTask task = all.next();
                synchronized (task.lock) {
                    if (task.state != TimerTask.CANCELLED) continue;
                }
                all.remove();
                gone++;
            }
            return gone;
        }
    }
}
