// A counter that a lock guards: N! orders of the sections, whatever is in them; in `again` the lock is taken twice at once.
//@ method: two
//@ paths: 2
//@ complete: yes
//@ method: again
//@ paths: 2
//@ complete: yes
//@ method: three
//@ paths: 6
//@ complete: yes
//@ method: four
//@ paths: 24
//@ complete: yes
class LockCounter {
    static int count;

    static synchronized void add() {
        count++;
    }

    static synchronized void twice() {
        add();
    }

    static void run(int times, Runnable body) throws InterruptedException {
        Thread[] threads = new Thread[times];
        for (int i = 0; i < times; i++) threads[i] = new Thread(body);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        assert count == times;
    }

    static void two() throws InterruptedException {
        run(2, LockCounter::add);
    }

    static void again() throws InterruptedException {
        run(2, LockCounter::twice);
    }

    static void three() throws InterruptedException {
        run(3, LockCounter::add);
    }

    static void four() throws InterruptedException {
        run(4, LockCounter::add);
    }
}
