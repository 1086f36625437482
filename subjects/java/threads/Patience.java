// Loops that wait for a time in each round: one that ended by its time, with nothing else done, is as if it had not been. Nobody need notify such a loop.
//@ method: monitor
//@ paths: 3
//@ complete: yes
//@ method: unnotified
//@ complete: yes
//@ method: oneNotified
//@ complete: yes
//@ method: condition
//@ paths: 3
//@ complete: yes
//@ method: linked
//@ complete: yes
//@ method: array
//@ complete: yes
//@ method: latch
//@ complete: yes
//@ method: pool
//@ complete: yes
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

class Patience {
    static final Object monitor = new Object();
    static boolean ready;
    static int later;

    static void monitor() throws InterruptedException {
        ready = false;
        Thread other = new Thread(() -> {
            synchronized (monitor) {
                ready = true;
                monitor.notify();
            }
        });
        other.start();
        synchronized (monitor) {
            while (!ready) monitor.wait(100);
        }
        other.join();
    }

    static void unnotified() throws InterruptedException {
        ready = false;
        later = 0;
        Thread other = new Thread(() -> {
            synchronized (monitor) {
                ready = true;
            }
            synchronized (monitor) {
                later++;
            }
        });
        other.start();
        synchronized (monitor) {
            while (!ready) monitor.wait(100);
            assert later == 0; //! assertion if unnotified
        }
        other.join();
    }

    static void waits() {
        synchronized (monitor) {
            while (!ready) {
                try {
                    monitor.wait(100);
                } catch (InterruptedException e) {
                    return;
                }
            }
            later++;
        }
    }

    static void oneNotified() throws InterruptedException {
        ready = false;
        later = 0;
        Thread a = new Thread(Patience::waits), b = new Thread(Patience::waits);
        a.start();
        b.start();
        synchronized (monitor) {
            ready = true;
            monitor.notify();
        }
        a.join();
        b.join();
        assert later == 2;
    }

    static void condition() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        Condition changed = lock.newCondition();
        boolean[] done = {false};
        Thread other = new Thread(() -> {
            lock.lock();
            try {
                done[0] = true;
                changed.signal();
            } finally {
                lock.unlock();
            }
        });
        other.start();
        lock.lock();
        try {
            while (!done[0]) changed.await(5, TimeUnit.SECONDS);
        } finally {
            lock.unlock();
        }
        other.join();
    }

    static void polled(BlockingQueue<Integer> queue) throws InterruptedException {
        Thread other = new Thread(() -> queue.add(1));
        other.start();
        Integer got;
        while ((got = queue.poll(10, TimeUnit.MILLISECONDS)) == null) {}
        other.join();
        assert got == 1 && queue.isEmpty();
    }

    static void linked() throws InterruptedException {
        polled(new LinkedBlockingQueue<>());
    }

    static void array() throws InterruptedException {
        polled(new ArrayBlockingQueue<>(1));
    }

    static void latch() throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(1);
        Thread other = new Thread(latch::countDown);
        other.start();
        while (!latch.await(10, TimeUnit.MILLISECONDS)) {}
        other.join();
    }

    static void pool() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        AtomicInteger done = new AtomicInteger();
        pool.execute(done::incrementAndGet);
        pool.shutdown();
        while (!pool.awaitTermination(1, TimeUnit.SECONDS)) {}
        assert done.get() == 1;
    }
}
