// A barrier orders what is before it and what is after it, not what is before it on both sides.
//@ method: main
//@ paths: 4
//@ complete: yes
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

class Barriers {
    static final CyclicBarrier barrier = new CyclicBarrier(2);
    static int x;

    static void meet() {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new AssertionError(e);
        }
    }

    static void one() {
        x = 1;
        meet();
        x = 3;
    }

    static void two() {
        x = 2; //! data-race
        meet();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread a = new Thread(Barriers::one), b = new Thread(Barriers::two);
        a.start();
        b.start();
        a.join();
        b.join();
        assert x == 3;
    }
}
