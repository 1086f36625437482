// What models of java.util.concurrent leave out keeps a search from being complete; what they do not leave out does not.
//@ method: added
//@ complete: yes
//@ method: asked
//@ complete: no
//@ method: reset
//@ complete: no
//@ method: lazy
//@ complete: no
//@ method: ordered
//@ complete: yes
//@ method: weak
//@ complete: no
//@ method: handed
//@ complete: no
//@ method: pooled
//@ complete: no
//@ method: forked
//@ complete: yes
//@ method: two
//@ complete: no
//@ method: one
//@ complete: yes
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

class Coarse {
    interface Body {
        void run() throws InterruptedException;
    }

    static Thread thread(Body body) {
        return new Thread(() -> {
            try {
                body.run();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    static void run(Body... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) threads[i] = thread(all[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static void added() throws InterruptedException {
        LongAdder sum = new LongAdder();
        run(sum::increment, () -> sum.add(2));
        assert sum.sum() == 3;
    }

    static void asked() throws InterruptedException {
        LongAdder sum = new LongAdder();
        run(sum::increment, sum::sum);
    }

    static void reset() throws InterruptedException {
        LongAdder sum = new LongAdder();
        run(sum::increment, sum::reset);
    }

    static void lazy() throws InterruptedException {
        AtomicInteger a = new AtomicInteger(), b = new AtomicInteger();
        run(() -> {
            a.lazySet(1);
            b.get();
        }, () -> {
            b.lazySet(1);
            a.get();
        });
    }

    static void ordered() throws InterruptedException {
        AtomicInteger a = new AtomicInteger(), b = new AtomicInteger();
        a.lazySet(2);
        run(() -> {
            a.set(1);
            b.get();
        }, () -> {
            b.set(1);
            a.get();
        });
    }

    static void weak() {
        assert new AtomicInteger().weakCompareAndSetVolatile(0, 1);
    }

    static void handed() throws InterruptedException {
        SynchronousQueue<Integer> queue = new SynchronousQueue<>();
        run(queue::take, queue::take, () -> {
            queue.put(1);
            queue.put(2);
        });
    }

    static void pooled() {
        CountDownLatch first = new CountDownLatch(1);
        CompletableFuture<Void> waits = CompletableFuture.runAsync(() -> {
            try {
                first.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        CompletableFuture<Void> wakes = CompletableFuture.runAsync(first::countDown);
        waits.join();
        wakes.join();
    }

    static final class Sum extends RecursiveTask<Integer> {
        private final int from, to;

        Sum(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        protected Integer compute() {
            if (to - from < 2) return from;
            int middle = (from + to) / 2;
            Sum left = new Sum(from, middle);
            left.fork();
            return new Sum(middle, to).compute() + left.join();
        }
    }

    static void forked() {
        assert new Sum(0, 2).compute() == 1;
    }

    static void two() {
        CompletableFuture<Integer> source = new CompletableFuture<>();
        StringBuilder order = new StringBuilder();
        source.thenAccept(order::append);
        source.thenAccept(value -> order.append('x'));
        source.complete(1);
        assert order.toString().equals("x1");
    }

    static void one() {
        CompletableFuture<Integer> source = new CompletableFuture<>();
        StringBuilder order = new StringBuilder();
        source.thenAccept(order::append);
        source.complete(1);
        assert order.toString().equals("1");
    }
}
