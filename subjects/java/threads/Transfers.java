// A transfer ends when its item was taken; a task of a scheduled pool runs once, some time.
//@ method: transfers
//@ complete: yes
//@ method: tries
//@ complete: yes
//@ method: lonely
//@ complete: yes
//@ method: scheduled
//@ complete: yes
//@ method: shorter
//@ complete: no
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

class Transfers {
    static int taken;

    static void transfers(int n) throws InterruptedException {
        LinkedTransferQueue<Integer> queue = new LinkedTransferQueue<>();
        Thread taker = new Thread(() -> {
            try {
                taken = queue.take();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        taker.start();
        queue.transfer(n);
        taker.join();
        assert taken == n;
        assert taken != 7; //! assertion if transfers
    }

    static void tries() throws InterruptedException {
        LinkedTransferQueue<Integer> queue = new LinkedTransferQueue<>();
        Thread taker = new Thread(queue::poll);
        taker.start();
        // Nobody waits for an item.
        assert !queue.tryTransfer(1);
        taker.join();
    }

    static void lonely() throws InterruptedException {
        LinkedTransferQueue<Integer> queue = new LinkedTransferQueue<>();
        Thread taker = new Thread(queue::poll);
        taker.start();
        taker.join();
        queue.transfer(1); //! deadlock if lonely
    }

    static void scheduled(int n) throws InterruptedException, ExecutionException {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
        ScheduledFuture<Integer> first = pool.schedule(() -> n + 1, 10, TimeUnit.MILLISECONDS);
        pool.schedule(() -> taken = 1, 20, TimeUnit.MILLISECONDS).get();
        pool.shutdown();
        assert first.isDone();
        assert first.get() != 8; //! assertion if scheduled
    }

    static void shorter() throws InterruptedException, ExecutionException {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
        ScheduledFuture<?> first = pool.schedule(() -> taken = 1, 20, TimeUnit.MILLISECONDS);
        pool.schedule(() -> taken = 2, 10, TimeUnit.MILLISECONDS).get();
        first.get();
        pool.shutdown();
    }
}
