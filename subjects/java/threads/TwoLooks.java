// Loops that look at several things in each round wait until one of them is written, and no longer: fields, elements, atomics, what methods return, and what a
// monitor guards.
//@ method: either
//@ paths: 2
//@ complete: yes
//@ method: both
//@ paths: 4
//@ complete: yes
//@ method: elements
//@ complete: yes
//@ method: atomics
//@ complete: yes
//@ method: asked
//@ complete: yes
//@ method: guarded
//@ complete: yes
//@ method: never
//@ complete: yes
//@ method: bakery
//@ complete: yes
import java.util.concurrent.atomic.AtomicInteger;

class TwoLooks {
    static volatile int a, b;
    static int data;
    static boolean first, second;

    static void run(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) threads[i] = new Thread(all[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    // One of two is enough.
    static void either() throws InterruptedException {
        run(() -> a = 1, () -> {
            while (a == 0 && b == 0) {}
        });
    }

    static void both() throws InterruptedException {
        run(() -> a = 1, () -> b = 1, () -> {
            while (a == 0 || b == 0) Thread.onSpinWait();
            assert a + b == 2;
        });
    }

    static void elements() throws InterruptedException {
        int[] cells = new int[2];
        run(() -> {
            synchronized (cells) {
                cells[0] = 1;
                cells[1] = 1;
            }
        }, () -> {
            while (true) {
                synchronized (cells) {
                    if (cells[0] + cells[1] == 2) break;
                }
            }
            data++;
        });
        assert data == 1;
    }

    static void atomics() throws InterruptedException {
        AtomicInteger left = new AtomicInteger(1), right = new AtomicInteger(1);
        run(left::decrementAndGet, right::decrementAndGet, () -> {
            while (left.get() + right.get() > 0) Thread.yield();
            if (left.get() == 0) throw new IllegalStateException("both are there"); //! uncaught-exception if atomics
        });
    }

    static boolean isOver() {
        return a == 1 && b == 1;
    }

    static void asked() throws InterruptedException {
        run(() -> {
            data = 5;
            a = 1;
            b = 1;
        }, () -> {
            while (!isOver()) {}
            assert data == 5;
        });
    }

    static synchronized boolean isReady() {
        return first && second;
    }

    static synchronized void make(boolean one) {
        if (one) first = true;
        else second = true;
    }

    static void guarded() throws InterruptedException {
        run(() -> make(true), () -> make(false), () -> {
            while (!isReady()) {}
            assert first && second;
        });
    }

    static void never() throws InterruptedException {
        run(() -> a = 1, () -> {
            while (a == 0 || b == 0) {} //! livelock if never
        });
    }

    // Lamport's bakery for two, where each looks at what the other one chooses and at its number.
    static volatile boolean choosing0, choosing1;
    static volatile int number0, number1;

    static void bakery() throws InterruptedException {
        run(
                () -> {
                    choosing0 = true;
                    number0 = 1 + number1;
                    choosing0 = false;
                    while (choosing1) {}
                    while (number1 != 0 && number1 < number0) {}
                    data++;
                    number0 = 0;
                },
                () -> {
                    choosing1 = true;
                    number1 = 1 + number0;
                    choosing1 = false;
                    while (choosing0) {}
                    while (number0 != 0 && number0 <= number1) {}
                    data++;
                    number1 = 0;
                });
        assert data == 2;
    }
}
