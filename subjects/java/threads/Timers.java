// Tasks that run at some time, once or again and again. How often they do has no end, so such a search is not complete.
//@ method: once
//@ complete: yes
//@ method: repeated
//@ complete: no
//@ method: rate
//@ complete: no
//@ method: counted
//@ complete: no
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

class Timers {
    static final AtomicInteger runs = new AtomicInteger();

    static TimerTask task() {
        return new TimerTask() {
            @Override
            public void run() {
                runs.incrementAndGet();
            }
        };
    }

    static void once() {
        Timer timer = new Timer(true);
        timer.schedule(task(), 10);
        timer.cancel();
        int seen = runs.get();
        if (seen > 1) throw new Error("it runs once");
        assert seen == 0; //! assertion if once
    }

    static void repeated() throws InterruptedException {
        Timer timer = new Timer(true);
        timer.schedule(task(), 1, 1);
        Thread.sleep(100);
        int seen = runs.get();
        timer.cancel();
        assert seen < 2; //! assertion if repeated
    }

    static void rate() throws InterruptedException {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
        pool.scheduleAtFixedRate(runs::incrementAndGet, 1, 1, TimeUnit.MILLISECONDS);
        Thread.sleep(100);
        int seen = runs.get();
        pool.shutdown();
        assert seen < 2; //! assertion if rate
    }

    // More often than it does so at any time.
    static void counted() throws InterruptedException {
        CountDownLatch five = new CountDownLatch(5);
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
        pool.scheduleWithFixedDelay(five::countDown, 1, 1, TimeUnit.MILLISECONDS);
        five.await();
        pool.shutdown();
        throw new IllegalStateException(); //! uncaught-exception if counted
    }
}
