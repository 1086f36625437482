// Dekker's mutual exclusion. Broken, each that sees the wish of the other one waits, and so both may wait for ever.
//@ method: fixed
//@ complete: yes
//@ method: broken
//@ complete: yes
import java.util.concurrent.atomic.AtomicIntegerArray;

class Dekker {
    static final AtomicIntegerArray wish = new AtomicIntegerArray(2);
    static volatile int turn;
    static int inside;

    static void run(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) threads[i] = new Thread(all[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        assert inside == 2;
    }

    static void leave(int me) {
        inside++;
        turn = 1 - me;
        wish.set(me, 0);
    }

    static void enters(int me) {
        int other = 1 - me;
        wish.set(me, 1);
        while (wish.get(other) == 1) {
            if (turn != me) {
                wish.set(me, 0);
                while (turn != me) {}
                wish.set(me, 1);
            }
        }
        leave(me);
    }

    static void insists(int me) {
        wish.set(me, 1);
        while (wish.get(1 - me) == 1) {} //! livelock if broken
        leave(me);
    }

    static void fixed() throws InterruptedException {
        run(() -> enters(0), () -> enters(1));
    }

    static void broken() throws InterruptedException {
        run(() -> insists(0), () -> insists(1));
    }
}
