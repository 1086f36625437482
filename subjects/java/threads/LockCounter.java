// Three threads count under one lock, one of them twice at once: as many executions as orders of the locks.
//@ method: main
//@ paths: 6
//@ complete: yes
class LockCounter {
    static int count;

    static synchronized void add() {
        count++;
    }

    static synchronized void again() {
        add();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] threads = {new Thread(LockCounter::add), new Thread(LockCounter::again), new Thread(LockCounter::add)};
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        assert count == 3;
    }
}
