// A thread that waits for the monitor of another one is woken when that one ends: this is how `join` works.
//@ method: joined
//@ paths: 2
//@ complete: yes
//@ method: missed
//@ paths: 2
//@ complete: no
//@ unconfirmed: some
//@ method: held
//@ paths: 2
//@ complete: yes
//@ method: two
//@ complete: yes
class Ends {
    static int value;

    static final class Worker extends Thread {
        int sum;

        @Override
        public void run() {
            sum = 3;
        }

        synchronized int result() throws InterruptedException {
            while (isAlive()) wait();
            return sum;
        }
    }

    static void joined() throws InterruptedException {
        Thread a = new Thread(() -> value = 1);
        a.start();
        synchronized (a) {
            while (a.isAlive()) a.wait();
        }
        assert value == 1;
    }

    static void missed() throws InterruptedException {
        Thread a = new Thread(() -> value = 1);
        a.start();
        synchronized (a) {
            a.wait(); //! lost-wakeup if missed
        }
    }

    static void held() throws InterruptedException {
        Worker worker = new Worker();
        worker.start();
        assert worker.result() == 3;
    }

    static void two() throws InterruptedException {
        Thread a = new Thread(() -> value = 1);
        Thread[] others = new Thread[2];
        for (int i = 0; i < 2; i++) {
            others[i] = new Thread(() -> {
                try {
                    synchronized (a) {
                        while (a.isAlive()) a.wait();
                    }
                    assert value == 1;
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
        }
        a.start();
        for (Thread other : others) other.start();
        for (Thread other : others) other.join();
    }
}
