package java.util.concurrent;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** As the JDK's, with a monitor: whoever looks for a task, or brings one, has it. Threads that have nothing to do wait for it. */
public class ThreadPoolExecutor extends AbstractExecutorService {
    /** Programs may synchronize on this object themselves. */
    private final Object monitor = new Object();
    /** A thread of the pool. */
    private final class Worker implements Runnable {
        private Runnable first;

        Worker(Runnable first) {
            this.first = first;
        }

        @Override
        public void run() {
            boolean whole = false;
            try {
                for (Runnable task = first != null ? first : next(); task != null; task = next()) {
                    first = null;
                    runOne(task);
                }
                whole = true;
            } finally {
                gone(whole);
            }
        }
    }

    private final int core;
    private final int most;
    private final BlockingQueue<Runnable> queue;
    /** Tasks for threads that wait, where the queue itself holds none. */
    private final ArrayDeque<Runnable> handed = new ArrayDeque<>();
    /** Tasks whose time comes again when nobody else can go on. */
    private final ArrayDeque<Runnable> later = new ArrayDeque<>();
    private final ThreadFactory factory;
    private final RejectedExecutionHandler handler;
    private int workers;
    private int idle;
    private long completed;
    private boolean shutdown;
    private boolean now;
    /** The last thread has left; and what a program does then is done. */
    private boolean ending;
    private boolean over;

    public ThreadPoolExecutor(int core, int most, long time, TimeUnit unit, BlockingQueue<Runnable> queue) {
        this(core, most, time, unit, queue, Executors.defaultThreadFactory(), null);
    }

    public ThreadPoolExecutor(int core, int most, long time, TimeUnit unit, BlockingQueue<Runnable> queue, ThreadFactory factory) {
        this(core, most, time, unit, queue, factory, null);
    }

    public ThreadPoolExecutor(
            int core, int most, long time, TimeUnit unit, BlockingQueue<Runnable> queue, RejectedExecutionHandler handler) {
        this(core, most, time, unit, queue, Executors.defaultThreadFactory(), handler);
    }

    public ThreadPoolExecutor(
            int core,
            int most,
            long time,
            TimeUnit unit,
            BlockingQueue<Runnable> queue,
            ThreadFactory factory,
            RejectedExecutionHandler handler) {
        if (core < 0 || most <= 0 || most < core || time < 0) throw new IllegalArgumentException();
        if (queue == null || factory == null) throw new NullPointerException();
        this.core = core;
        this.most = most;
        this.queue = queue instanceof SynchronousQueue ? null : queue;
        this.factory = factory;
        this.handler = handler;
    }

    /** A pool without a queue: it hands tasks to its threads, and makes as many of these as it needs. */
    ThreadPoolExecutor(ThreadFactory factory) {
        if (factory == null) throw new NullPointerException();
        core = 0;
        most = Integer.MAX_VALUE;
        queue = null;
        handler = null;
        this.factory = factory;
    }

    @Override
    public void execute(Runnable task) {
        if (task == null) throw new NullPointerException();
        Thread started;
        synchronized (monitor) {
            if (shutdown) {
                started = null;
            } else if (workers < core) {
                started = worker(task);
            } else if (accepted(task)) {
                monitor.notify();
                if (workers > 0) return;
                started = worker(null);
            } else {
                started = workers < most ? worker(task) : null;
            }
        }
        if (started != null) {
            started.start();
        } else if (handler == null) {
            throw new RejectedExecutionException("Task " + task + " rejected from " + this);
        } else {
            throw XcuteThreads.unsupported("a RejectedExecutionHandler of one's own");
        }
    }

    private boolean accepted(Runnable task) {
        if (queue != null) return queue.offer(task);
        return idle > handed.size() && handed.add(task);
    }

    private Thread worker(Runnable task) {
        workers++;
        return factory.newThread(new Worker(task));
    }

    /** Hands in a task whose time comes again when nobody else can go on; whether it is accepted. */
    final boolean again(Runnable task) {
        synchronized (monitor) {
            if (shutdown) return false;
            later.add(task);
            monitor.notify();
            return true;
        }
    }

    private Runnable next() {
        boolean woken = true;
        synchronized (monitor) {
            while (true) {
                if (now) return null;
                Runnable task = queue == null ? handed.poll() : queue.poll();
                if (task == null && !woken) task = later.poll();
                // What an earlier task left does not concern this one.
                if (task != null) Thread.interrupted();
                if (task != null || shutdown) return task;
                idle++;
                XcuteThreads.idle(true);
                try {
                    woken = later.isEmpty();
                    if (woken) monitor.wait();
                    else woken = XcuteThreads.awaitLate(monitor, monitor);
                } catch (InterruptedException e) {
                    // The pool's threads are interrupted to end them, and look for that themselves.
                } finally {
                    XcuteThreads.idle(false);
                    idle--;
                }
            }
        }
    }

    private void runOne(Runnable task) {
        Thread self = Thread.currentThread();
        try {
            beforeExecute(self, task);
            try {
                task.run();
                afterExecute(task, null);
            } catch (Throwable thrown) {
                afterExecute(task, thrown);
                throw thrown;
            }
        } finally {
            synchronized (monitor) {
                completed++;
            }
        }
    }

    private void gone(boolean whole) {
        Thread started = null;
        boolean last;
        synchronized (monitor) {
            workers--;
            // Another one takes the place of a thread that an exception ended.
            if (!whole && !now && (!shutdown || queue != null && !queue.isEmpty())) started = worker(null);
            last = ends();
        }
        if (started != null) started.start();
        if (last) finish();
    }

    /** Whether the last one leaves, whose class does something then. Whoever calls it has the monitor. */
    private boolean ends() {
        if (!shutdown || workers > 0 || ending || queue != null && !queue.isEmpty()) return false;
        ending = true;
        if (getClass() != ThreadPoolExecutor.class) return true;
        over = true;
        monitor.notifyAll();
        return false;
    }

    private void finish() {
        try {
            terminated();
        } finally {
            synchronized (monitor) {
                over = true;
                monitor.notifyAll();
            }
        }
    }

    protected void beforeExecute(Thread thread, Runnable task) {}

    protected void afterExecute(Runnable task, Throwable thrown) {}

    protected void terminated() {}

    @Override
    public void shutdown() {
        boolean last;
        synchronized (monitor) {
            shutdown = true;
            later.clear();
            monitor.notifyAll();
            last = ends();
        }
        if (last) finish();
    }

    /** Tasks that run are not interrupted here; a program whose tasks would notice does not come here. */
    @Override
    public List<Runnable> shutdownNow() {
        List<Runnable> left = new ArrayList<>();
        boolean last;
        synchronized (monitor) {
            shutdown = now = true;
            if (queue != null) queue.drainTo(left);
            left.addAll(handed);
            left.addAll(later);
            handed.clear();
            later.clear();
            if (workers > idle) throw XcuteThreads.unsupported("shutdownNow while tasks run");
            monitor.notifyAll();
            last = ends();
        }
        if (last) finish();
        return left;
    }

    @Override
    public boolean isShutdown() {
        synchronized (monitor) {
            return shutdown;
        }
    }

    @Override
    public boolean isTerminated() {
        synchronized (monitor) {
            return over;
        }
    }

    @Override
    public boolean awaitTermination(long time, TimeUnit unit) throws InterruptedException {
        synchronized (monitor) {
            boolean in = unit.toNanos(time) > 0;
            while (!over) {
                if (!in) return false;
                in = XcuteThreads.await(monitor, monitor, true);
            }
            return true;
        }
    }

    /** As later versions have it. */
    public void close() {
        shutdown();
        boolean interrupted = false;
        synchronized (monitor) {
            while (!over) {
                try {
                    monitor.wait();
                } catch (InterruptedException e) {
                    if (!interrupted) shutdownNow();
                    interrupted = true;
                }
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
    }

    public int getPoolSize() {
        synchronized (monitor) {
            return workers;
        }
    }

    public int getCorePoolSize() {
        return core;
    }

    public int getMaximumPoolSize() {
        return most;
    }

    public BlockingQueue<Runnable> getQueue() {
        if (queue == null) throw XcuteThreads.unsupported("the queue of a cached pool");
        return queue;
    }

    public long getCompletedTaskCount() {
        synchronized (monitor) {
            return completed;
        }
    }
}
