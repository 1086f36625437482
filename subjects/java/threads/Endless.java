// Threads that never end: in a loop of their own, or in one that asks others again and again. Where they do not only wait, other orders of their steps are endlessly many, and no search is complete.
//@ method: alone
//@ complete: no
//@ method: first
//@ complete: no
//@ method: never
//@ complete: yes
//@ method: polls
//@ complete: no
//@ method: kept
//@ complete: yes
//@ method: both
//@ complete: yes
//@ method: unwritten
//@ complete: yes
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

class Endless {
    static int n;

    /** Nobody can end what reads nothing. */
    static void alone(int x) throws InterruptedException {
        Thread t = new Thread(() -> {
            int i = 0;
            while (x == 5) i++; //! hang if alone
        });
        t.start();
        t.join();
    }

    /** Another thread could go on, and does not matter. */
    static void first(int x) {
        Thread t = new Thread(() -> n++);
        t.start();
        int i = 0;
        while (x == 5) i++; //! hang if first
    }

    /** A wait for an atomic. */
    static void never(int x) throws InterruptedException {
        AtomicBoolean go = new AtomicBoolean();
        Thread t = new Thread(() -> {
            while (!go.get()) Thread.onSpinWait(); //! livelock if never
        });
        t.start();
        if (x != 7) go.set(true);
        t.join();
    }

    static boolean done;

    static void polls() throws InterruptedException {
        Object lock = new Object();
        Thread t = new Thread(() -> {
            while (true) {
                synchronized (lock) { //! livelock if polls
                    if (done) return;
                }
            }
        });
        t.start();
        t.join();
    }

    static void kept() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        Thread t = new Thread(() -> {
            while (!lock.tryLock()) Thread.yield(); //! livelock if kept
            lock.unlock();
        });
        lock.lock();
        t.start();
        t.join();
    }

    static boolean never;

    /** Nobody writes what it looks at, and it keeps a lock. */
    static void unwritten() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        Thread t = new Thread(() -> {
            if (lock.tryLock()) {
                while (!never) Thread.yield(); //! deadlock if unwritten, livelock if unwritten
                lock.unlock();
            }
        });
        t.start();
        lock.lock();
        lock.unlock();
        t.join();
    }

    /** Each waits for the other one. */
    static void both() throws InterruptedException {
        AtomicInteger a = new AtomicInteger(1), b = new AtomicInteger(1);
        Thread t = new Thread(() -> waits(b));
        t.start();
        waits(a);
        t.join();
    }

    static void waits(AtomicInteger value) {
        while (!value.compareAndSet(0, 1)) Thread.onSpinWait(); //! livelock if both
    }
}
