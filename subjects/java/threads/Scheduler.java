// A scheduler in the manner of DEOS, after the case study of Java PathFinder (Table VII of the paper): periodic threads have a budget of time, which is an input.
// A budget that is taken over from a thread that ends early is not given back when the period begins anew.
//@ method: run
//@ paths: 15
//@ complete: yes
class Scheduler {
    static final int PERIOD = 4;
    static int used, slack;
    static final Object clock = new Object();

    static void periodic(int budget, int needs) {
        synchronized (clock) {
            int runs = needs < budget ? needs : budget;
            used += runs;
            slack += budget - runs;
        }
    }

    static void greedy(int budget) {
        synchronized (clock) {
            used += budget + slack;
            assert used <= PERIOD; //! assertion
        }
    }

    static void run(int budget, int needs) throws InterruptedException {
        if (budget < 0 || budget > PERIOD || needs < 0 || needs > PERIOD) return;
        Thread a = new Thread(() -> periodic(budget, needs)), b = new Thread(() -> greedy(PERIOD - budget)), c = new Thread(() -> {
            synchronized (clock) {
                used = 0;
            }
        });
        a.start();
        b.start();
        a.join();
        b.join();
        c.start();
        Thread again = new Thread(() -> greedy(PERIOD - budget));
        again.start();
        c.join();
        again.join();
    }
}
