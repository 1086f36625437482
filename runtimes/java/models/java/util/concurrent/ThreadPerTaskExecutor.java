package java.util.concurrent;

import java.util.ArrayList;
import java.util.List;

/** As the JDK's, with a monitor: each task has a thread of its own. */
class ThreadPerTaskExecutor extends AbstractExecutorService {
    private final Object monitor = new Object();
    private final ThreadFactory factory;
    /** Threads that have not ended. */
    private final ArrayList<Thread> threads = new ArrayList<>();
    private boolean shutdown;

    ThreadPerTaskExecutor(ThreadFactory factory) {
        if (factory == null) throw new NullPointerException();
        this.factory = factory;
    }

    @Override
    public void execute(Runnable task) {
        if (task == null) throw new NullPointerException();
        Thread made = factory.newThread(() -> {
            try {
                task.run();
            } finally {
                gone();
            }
        });
        if (made == null) throw new RejectedExecutionException();
        synchronized (monitor) {
            if (shutdown) throw new RejectedExecutionException();
            threads.add(made);
        }
        made.start();
    }

    private void gone() {
        synchronized (monitor) {
            threads.remove(Thread.currentThread());
            if (shutdown && threads.isEmpty()) monitor.notifyAll();
        }
    }

    @Override
    public void shutdown() {
        synchronized (monitor) {
            shutdown = true;
            if (threads.isEmpty()) monitor.notifyAll();
        }
    }

    @Override
    public List<Runnable> shutdownNow() {
        shutdown();
        synchronized (monitor) {
            for (Thread thread : threads) thread.interrupt();
        }
        return new ArrayList<>();
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
            return shutdown && threads.isEmpty();
        }
    }

    @Override
    public boolean awaitTermination(long time, TimeUnit unit) throws InterruptedException {
        synchronized (monitor) {
            boolean in = unit.toNanos(time) > 0;
            while (!shutdown || !threads.isEmpty()) {
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
            while (!threads.isEmpty()) {
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
}
