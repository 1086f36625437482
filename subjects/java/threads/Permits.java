// A semaphore as a lock (one permit), and as a signal (none). Those that wait for the JDK's semaphore stand in a line, but who comes early gets no more than one
// that comes in time: so there are as many executions as in C.
//@ method: lock
//@ paths: 2
//@ complete: yes
//@ method: signal
//@ paths: 1
//@ complete: yes
//@ method: parked
//@ paths: 1
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

class Permits {
    static int x;

    static void run(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) threads[i] = new Thread(all[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static void lock() throws InterruptedException {
        Semaphore permits = new Semaphore(1);
        Runnable body = () -> {
            permits.acquireUninterruptibly();
            x = x + 1;
            permits.release();
        };
        run(body, body);
        assert x == 2;
    }

    static void signal() throws InterruptedException {
        Semaphore permits = new Semaphore(0);
        run(
                () -> {
                    permits.acquireUninterruptibly();
                    x = 0;
                },
                () -> {
                    x = 1;
                    permits.release();
                });
        assert x == 0;
    }

    static void parked() throws InterruptedException {
        Thread waits = new Thread(() -> {
            LockSupport.park();
            x = 0;
        });
        waits.start();
        x = 1;
        LockSupport.unpark(waits);
        waits.join();
        assert x == 0;
    }
}
