// Three philosophers: 2^3 - 1 executions, one of which is a deadlock.
//@ method: main
//@ paths: 7
class Philosophers {
    static final Object[] FORKS = {new Object(), new Object(), new Object()};

    static void dine(int place) {
        synchronized (FORKS[place]) {
            synchronized (FORKS[(place + 1) % 3]) { //! deadlock
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] threads = new Thread[3];
        for (int i = 0; i < 3; i++) {
            int place = i;
            threads[i] = new Thread(() -> dine(place));
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
    }
}
