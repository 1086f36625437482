// Locks of one's own: a thread that tries again and again waits until somebody has written. There are no more schedules than with a lock that lets it wait.
//@ method: compared
//@ paths: 4
//@ complete: yes
//@ method: exchanged
//@ paths: 4
//@ complete: yes
//@ method: three
//@ complete: yes
//@ method: forgotten
//@ complete: yes
//@ method: early
//@ complete: yes
import java.util.concurrent.atomic.AtomicBoolean;

class SpinLocks {
    static final AtomicBoolean locked = new AtomicBoolean();
    static int count;

    static void run(int times, Runnable body) throws InterruptedException {
        Thread[] threads = new Thread[times];
        for (int i = 0; i < times; i++) threads[i] = new Thread(body);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static void add() {
        while (!locked.compareAndSet(false, true)) Thread.onSpinWait();
        count++;
        locked.set(false);
    }

    static void compared() throws InterruptedException {
        run(2, SpinLocks::add);
        if (count != 2) throw new Error("the lock keeps others out");
    }

    static void exchanged() throws InterruptedException {
        run(2, () -> {
            while (locked.getAndSet(true)) {}
            count++;
            locked.set(false);
        });
        if (count != 2) throw new Error("the lock keeps others out");
    }

    static void three() throws InterruptedException {
        run(3, SpinLocks::add);
        if (count != 3) throw new Error("the lock keeps others out");
    }

    static void forgotten() throws InterruptedException {
        run(2, () -> {
            while (!locked.compareAndSet(false, true)) {} //! livelock if forgotten
            count++;
        });
    }

    // The lock is given back too early.
    static void early() throws InterruptedException {
        run(2, () -> {
            while (!locked.compareAndSet(false, true)) {}
            int old = count; //! data-race if early
            locked.set(false);
            count = old + 1;
        });
        assert count == 2; //! assertion if early
    }
}
