// Sleeping gives no order; a sleep may be interrupted, and so may a park, which does not say so.
//@ method: main
//@ complete: no
import java.util.concurrent.locks.LockSupport;

class Sleeps {
    static volatile int x;

    public static void main(String[] arguments) throws InterruptedException {
        Thread a = new Thread(() -> {
            try {
                Thread.sleep(10);
                x = 1;
            } catch (InterruptedException e) {
                x = 2;
            }
            LockSupport.park();
        });
        a.start();
        int seen = x;
        a.interrupt();
        Thread.yield();
        LockSupport.unpark(a);
        a.join();
        assert seen == 0; //! assertion
        assert x != 0;
    }
}
