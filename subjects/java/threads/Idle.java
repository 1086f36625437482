// Pools that nobody shuts down: their threads have nothing to do, which is not a deadlock. Who waits for a result that never comes is in one.
//@ method: cached
//@ complete: yes
//@ method: fixed
//@ complete: yes
//@ method: stuck
//@ complete: yes
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

class Idle {
    static void cached(int a) throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newCachedThreadPool();
        assert pool.submit(() -> a + 1).get() != 8; //! assertion if cached
    }

    static void fixed() throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        pool.submit(() -> 1).get();
        pool.submit(() -> 2).get();
    }

    static void stuck() throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        CountDownLatch latch = new CountDownLatch(2);
        pool.submit(latch::countDown);
        latch.await(); //! deadlock if stuck
    }
}
