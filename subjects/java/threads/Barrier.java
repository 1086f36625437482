// Two threads meet at a barrier: what each wrote before, the other sees afterwards. A third one is one too many.
//@ method: main
//@ complete: yes
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

class Barrier {
    static final CyclicBarrier barrier = new CyclicBarrier(2);
    static int x, y;

    static void meet() {
        try {
            barrier.await(); //! deadlock
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread a = new Thread(() -> {
            x = 1;
            meet();
            assert y == 2;
        });
        a.start();
        y = 2;
        meet();
        assert x == 1;
        a.join();
        meet();
    }
}
