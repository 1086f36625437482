// N threads try to lock, one locks.
//@ method: one
//@ paths: 3
//@ complete: yes
//@ method: two
//@ paths: 15
//@ complete: yes
import java.util.concurrent.locks.ReentrantLock;

class TryLock {
    static final ReentrantLock m = new ReentrantLock();

    static void run(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) threads[i] = new Thread(all[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static void tries() {
        if (m.tryLock()) m.unlock();
    }

    static void locks() {
        m.lock();
        m.unlock();
    }

    static void one() throws InterruptedException {
        run(TryLock::tries, TryLock::locks);
    }

    static void two() throws InterruptedException {
        run(TryLock::tries, TryLock::tries, TryLock::locks);
    }
}
