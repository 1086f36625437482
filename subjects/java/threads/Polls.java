// Loops that try to get something from java.util.concurrent, or ask whether it is there, until it is: a lock, a permit, an element, a result. They wait as other
// loops do that look again and again.
//@ method: locked
//@ paths: 4
//@ complete: yes
//@ method: acquired
//@ complete: yes
//@ method: done
//@ complete: yes
//@ method: completed
//@ complete: yes
//@ method: polled
//@ complete: yes
//@ method: blocking
//@ complete: yes
//@ method: forgotten
//@ complete: yes
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

class Polls {
    static final Lock lock = new ReentrantLock();
    static int count;

    static void run(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) threads[i] = new Thread(all[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static void add() {
        while (!lock.tryLock()) Thread.yield();
        count++;
        lock.unlock();
    }

    static void locked() throws InterruptedException {
        run(Polls::add, Polls::add);
        assert count == 2;
    }

    static void acquired() throws InterruptedException {
        Semaphore permits = new Semaphore(1);
        Runnable body = () -> {
            while (!permits.tryAcquire()) Thread.onSpinWait();
            count++;
            permits.release();
        };
        run(body, body);
        assert count == 2;
    }

    static void done() throws Exception {
        FutureTask<Integer> task = new FutureTask<>(() -> 7);
        new Thread(task).start();
        while (!task.isDone()) Thread.yield();
        assert task.get() == 7;
    }

    static void completed() throws InterruptedException {
        CompletableFuture<String> future = new CompletableFuture<>();
        run(() -> future.complete("ready"), () -> {
            while (!future.isDone()) {}
            if (future.join().equals("ready")) throw new IllegalStateException("ready"); //! uncaught-exception if completed
        });
    }

    static void polled() throws InterruptedException {
        ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
        run(() -> {
            queue.add(1);
            queue.add(2);
        }, () -> {
            Integer first, second;
            while ((first = queue.poll()) == null) Thread.yield();
            do {
                second = queue.poll();
            } while (second == null);
            assert first == 1 && second == 2;
        });
    }

    static void blocking() throws InterruptedException {
        BlockingQueue<String> queue = new ArrayBlockingQueue<>(1);
        run(() -> {
            while (!queue.offer("a")) {}
            while (!queue.offer("b")) {}
        }, () -> {
            String text;
            while ((text = queue.poll()) == null) Thread.yield();
            assert text.equals("a");
        });
    }

    static void forgotten() throws InterruptedException {
        ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();
        run(() -> queue.add(1), () -> {
            for (int i = 0; i < 2; i++) {
                while (queue.poll() == null) {} //! livelock if forgotten
            }
        });
    }
}
