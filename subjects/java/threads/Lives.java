// A thread that asks whether another lives, and one that is interrupted while it joins another. When a thread ends cannot be held on the original classes.
//@ method: asks
//@ paths: 3
//@ unconfirmed: some
//@ method: joins
//@ paths: 18
//@ unconfirmed: some
class Lives {
    static int value;
    static boolean interrupted;

    static void asks() throws InterruptedException {
        Thread a = new Thread(() -> value = 1);
        assert !a.isAlive();
        a.start();
        if (!a.isAlive()) {
            assert value == 1;
            throw new IllegalStateException(); //! uncaught-exception if asks
        }
        a.join();
        assert !a.isAlive();
    }

    static void joins() throws InterruptedException {
        Thread slow = new Thread(() -> value = 2);
        Thread joiner = new Thread(() -> {
            try {
                slow.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        });
        slow.start();
        joiner.start();
        joiner.interrupt();
        joiner.join();
        assert !interrupted; //! assertion if joins
        slow.join();
        assert value == 2;
    }
}
