// Each thread has its own value of a ThreadLocal, also in a pool, and those values are followed. No schedule more comes from them.
//@ method: own
//@ paths: 2
//@ complete: yes
//@ method: pooled
//@ complete: yes
//@ method: removed
//@ complete: yes
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

class Locals {
    static final ThreadLocal<Integer> count = ThreadLocal.withInitial(() -> 0);
    static int sum;

    static void own(int n) throws InterruptedException {
        Runnable add = () -> {
            count.set(count.get() + n);
            count.set(count.get() + n);
        };
        Thread a = new Thread(add), b = new Thread(add);
        a.start();
        b.start();
        a.join();
        b.join();
        if (count.get() != 0) throw new Error("others have changed it");
        count.set(n);
        assert count.get() != 7; //! assertion if own
    }

    static void pooled() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1);
        Runnable task = () -> {
            count.set(count.get() + 1);
            sum = count.get();
        };
        pool.submit(task).get();
        pool.submit(task).get();
        pool.shutdown();
        assert sum == 1; //! assertion if pooled
    }

    static void removed(int n) {
        count.set(n);
        if (count.get() == 42) throw new IllegalStateException(); //! uncaught-exception if removed
        count.remove();
        if (count.get() != 0) throw new Error("it begins again");
    }
}
