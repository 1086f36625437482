// The counter without a lock: four executions with two threads, in two of which a count is lost, and 36 with three.
//@ method: two
//@ paths: 4
//@ complete: yes
//@ method: three
//@ paths: 36
//@ complete: yes
class RacyCounter {
    static int count;

    static void add() {
        int old = count; //! data-race
        count = old + 1;
    }

    static void run(int times) throws InterruptedException {
        Thread[] threads = new Thread[times];
        for (int i = 0; i < times; i++) threads[i] = new Thread(RacyCounter::add);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        assert count == times; //! assertion
    }

    static void two() throws InterruptedException {
        run(2);
    }

    static void three() throws InterruptedException {
        run(3);
    }
}
