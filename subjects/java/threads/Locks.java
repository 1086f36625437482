// Locks of java.util.concurrent that are taken in both orders, and a latch.
//@ method: main
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

class Locks {
    static final ReentrantLock a = new ReentrantLock(), b = new ReentrantLock();
    static final CountDownLatch done = new CountDownLatch(2);

    static void both(ReentrantLock first, ReentrantLock second) {
        first.lock();
        try {
            second.lock(); //! deadlock
            second.unlock();
        } finally {
            first.unlock();
        }
        done.countDown();
    }

    public static void main(String[] arguments) throws InterruptedException {
        new Thread(() -> both(a, b)).start();
        new Thread(() -> both(b, a)).start();
        done.await();
    }
}
