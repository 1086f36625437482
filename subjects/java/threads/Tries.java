// Loops that look again and again, in the forms that programs have: without a body, by a method, under a monitor. Going round once more makes no difference as
// long as nobody changes what they look at.
//@ method: bodiless
//@ paths: 2
//@ complete: yes
//@ method: asks
//@ complete: yes
//@ method: guarded
//@ complete: yes
//@ method: guards
//@ complete: yes
//@ method: lives
//@ complete: yes
//@ method: counts
//@ complete: yes
//@ method: again
//@ complete: yes
//@ method: keeps
//@ complete: yes
//@ method: mine
//@ complete: yes
import java.util.concurrent.CountDownLatch;

class Tries {
    static volatile boolean flag;
    static volatile int number;
    static boolean ready;
    static int data;

    static void run(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) threads[i] = new Thread(all[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static void bodiless() throws InterruptedException {
        run(() -> flag = true, () -> {
            do {} while (!flag);
        });
    }

    static boolean isFlag() {
        return flag;
    }

    static void asks() throws InterruptedException {
        run(() -> {
            data = 7;
            flag = true;
        }, () -> {
            while (!isFlag()) Thread.yield();
            assert data == 7;
        });
    }

    static synchronized boolean isReady() {
        return ready;
    }

    static synchronized void makeReady() {
        ready = true;
    }

    static void guarded() throws InterruptedException {
        run(() -> {
            data = 7;
            makeReady();
        }, () -> {
            while (!isReady()) {}
            assert data == 7;
        });
    }

    // The monitor is in the loop itself.
    static void guards() throws InterruptedException {
        run(Tries::makeReady, () -> {
            while (true) {
                synchronized (Tries.class) {
                    if (ready) break;
                }
            }
        });
    }

    static void lives() throws InterruptedException {
        Thread thread = new Thread(() -> data = 1);
        thread.start();
        while (thread.isAlive()) Thread.yield();
        assert number == 0;
    }

    static void counts() throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(1);
        run(() -> {
            data = 1;
            latch.countDown();
        }, () -> {
            while (latch.getCount() > 0) {}
            assert data == 1;
        });
    }

    // A loop that is entered a second time does not wait for what it saw the first time.
    static void again() throws InterruptedException {
        run(() -> number = 1, () -> {
            for (int i = 0; i < 2; i++) {
                int least = i;
                do {} while (number < least);
            }
            for (int i = 0; i < 2; i++) {
                do {} while (number == 0);
            }
        });
    }

    // It does something that lasts, and so it ends by itself.
    static void keeps() throws InterruptedException {
        int[] tries = new int[1];
        run(() -> flag = true, () -> {
            while (!flag && more(tries)) {}
            if (tries[0] == 3) throw new IllegalStateException("given up"); //! uncaught-exception if keeps
        });
    }

    static boolean more(int[] tries) {
        return ++tries[0] < 3;
    }

    // A lock of one's own, as tutorials have it: it does not keep others out.
    static void enter() {
        while (flag) Thread.yield();
        flag = true;
    }

    static void mine() throws InterruptedException {
        run(() -> {
            enter();
            data++;
            flag = false;
        }, () -> {
            enter();
            data++; //! data-race if mine
            flag = false;
        });
    }
}
