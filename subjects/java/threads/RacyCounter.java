// Two threads count without a lock: four executions, in two of which a count is lost.
//@ method: main
//@ paths: 4
class RacyCounter {
    static int count;

    static void add() {
        count = count + 1; //! data-race
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread a = new Thread(RacyCounter::add), b = new Thread(RacyCounter::add);
        a.start();
        b.start();
        a.join();
        b.join();
        assert count == 2; //! assertion
    }
}
