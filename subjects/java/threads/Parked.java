// A thread parks until it has its permit, which may come before; one that was given to another does not help.
//@ method: main
//@ complete: no
import java.util.concurrent.locks.LockSupport;

class Parked {
    static int data;

    public static void main(String[] arguments) throws InterruptedException {
        Thread good = new Thread(() -> {
            LockSupport.park();
            assert data == 1;
        });
        good.start();
        data = 1;
        LockSupport.unpark(good);
        good.join();
        Thread bad = new Thread(() -> LockSupport.park()); //! lost-wakeup
        bad.start();
        LockSupport.unpark(good);
        LockSupport.unpark(Thread.currentThread());
        LockSupport.park();
    }
}
