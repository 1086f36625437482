// Futures with a time, which ends at any moment, and a queue that never waits. On the original classes the time is real: it is over, or not.
//@ method: late
//@ unconfirmed: some
//@ method: instead
//@ complete: yes
//@ method: polled
//@ complete: yes
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

class Times {
    static void late(int x) throws InterruptedException {
        CompletableFuture<Integer> future = new CompletableFuture<Integer>().orTimeout(1, TimeUnit.MILLISECONDS);
        Thread t = new Thread(() -> future.complete(x));
        t.start();
        t.join();
        try {
            if (future.join() == 5) throw new IllegalStateException("in time"); //! uncaught-exception if late
        } catch (CompletionException e) {
            if (x == 6) throw new IllegalArgumentException("late"); //! uncaught-exception if late
        }
    }

    static void instead(int x) {
        int found = new CompletableFuture<Integer>().completeOnTimeout(7, 1, TimeUnit.MILLISECONDS).join();
        assert found != x; //! assertion if instead
    }

    static void polled(int x) throws InterruptedException {
        ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
        Thread t = new Thread(() -> queue.add(x));
        t.start();
        Integer found = queue.poll();
        t.join();
        assert found == null || found != 5; //! assertion if polled
        assert found != null || x != 6 || queue.isEmpty(); //! assertion if polled
    }
}
