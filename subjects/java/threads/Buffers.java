// A buffer with one slot in many forms: producers and consumers, one notification or all, `while` or the wrong `if`.
//@ method: small
//@ paths: 2
//@ complete: yes
//@ method: one
//@ paths: 80
//@ unconfirmed: 0
//@ method: all
//@ paths: 80
//@ complete: yes
//@ method: two
//@ paths: 40
//@ method: wrong
//@ paths: 40
class Buffers {
    static int count;
    static boolean one, wrong;
    static final Object lock = new Object();

    static void run(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) threads[i] = new Thread(all[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static void turn(int blocked, int change) {
        synchronized (lock) {
            try {
                while (count == blocked) {
                    lock.wait(); //! lost-wakeup if one|two
                    if (wrong && change < 0) break;
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            int left = count + change;
            if (left < 0) throw new IllegalStateException("the buffer is empty"); //! uncaught-exception if wrong
            count = left;
            if (one) lock.notify();
            else lock.notifyAll();
        }
    }

    static void put() {
        turn(1, 1);
    }

    static void get() {
        turn(0, -1);
    }

    static void putTwo() {
        put();
        put();
    }

    static void small() throws InterruptedException {
        run(Buffers::put, Buffers::get);
    }

    static void one() throws InterruptedException {
        one = true;
        run(Buffers::put, Buffers::put, Buffers::get, Buffers::get);
    }

    static void all() throws InterruptedException {
        run(Buffers::put, Buffers::put, Buffers::get, Buffers::get);
    }

    static void two() throws InterruptedException {
        one = true;
        run(Buffers::putTwo, Buffers::get, Buffers::get);
    }

    static void wrong() throws InterruptedException {
        one = wrong = true;
        run(Buffers::putTwo, Buffers::get, Buffers::get);
    }
}
