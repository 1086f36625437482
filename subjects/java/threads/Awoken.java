// A buffer with one slot, in which a wait of each thread may end without a notification: with `while`, with the wrong `if`, and with a notification too few. Other
// waits may, too, which is named.
//@ method: small
//@ paths: 3
//@ complete: no
//@ method: wrong
//@ paths: 3
//@ complete: no
//@ method: one
//@ paths: 784
//@ unconfirmed: some
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

class Awoken {
    static final ReentrantLock guard = new ReentrantLock();
    static final Condition changed = guard.newCondition();
    static int count;
    static boolean one, wrong;

    static void run(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) threads[i] = new Thread(all[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static void turn(int blocked, int change) {
        guard.lock();
        try {
            boolean may = true;
            while (count == blocked) {
                if (!may) changed.await(); //! lost-wakeup if one
                else if (!changed.await(1, TimeUnit.MILLISECONDS)) may = false;
                if (wrong) break;
            }
            int left = count + change;
            if (left < 0) throw new IllegalStateException("the buffer is empty"); //! uncaught-exception if wrong
            count = left;
            if (one) changed.signal();
            else changed.signalAll();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            guard.unlock();
        }
    }

    static void put() {
        turn(1, 1);
    }

    static void get() {
        turn(0, -1);
    }

    static void small() throws InterruptedException {
        run(Awoken::put, Awoken::get);
    }

    static void wrong() throws InterruptedException {
        wrong = true;
        run(Awoken::put, Awoken::get);
    }

    static void one() throws InterruptedException {
        one = true;
        run(Awoken::put, Awoken::put, Awoken::get, Awoken::get);
    }
}
