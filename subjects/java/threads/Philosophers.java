// Dining philosophers: 2^N - 1 executions that differ, one of which is stuck. Corrected, the last one takes the forks in the other order.
//@ method: two
//@ paths: 3
//@ complete: yes
//@ method: three
//@ paths: 7
//@ complete: yes
//@ method: four
//@ paths: 15
//@ complete: yes
//@ method: five
//@ paths: 31
//@ complete: yes
//@ method: fixed
//@ complete: yes
class Philosophers {
    static void nest(Object first, Object second) {
        synchronized (first) {
            synchronized (second) { //! deadlock if two|three|four|five
            }
        }
    }

    static void dine(int count, boolean ordered) throws InterruptedException {
        Object[] forks = new Object[count];
        for (int i = 0; i < count; i++) forks[i] = new Object();
        Thread[] threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            boolean last = i + 1 == count;
            Object own = forks[i], next = forks[last ? 0 : i + 1];
            threads[i] = new Thread(() -> nest(last && ordered ? next : own, last && ordered ? own : next));
        }
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static void two() throws InterruptedException {
        dine(2, false);
    }

    static void three() throws InterruptedException {
        dine(3, false);
    }

    static void four() throws InterruptedException {
        dine(4, false);
    }

    static void five() throws InterruptedException {
        dine(5, false);
    }

    static void fixed() throws InterruptedException {
        dine(3, true);
    }
}
