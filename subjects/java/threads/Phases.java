// Nobody has a lock while a phase advances; and what ends a wait for a lock.
//@ method: advances
//@ unconfirmed: some
//@ method: leaves
//@ complete: yes
//@ method: zero
//@ complete: yes
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Phaser;
import java.util.concurrent.locks.ReentrantLock;

class Phases {
    static volatile boolean advancing;

    static void advances() throws InterruptedException {
        Phaser phaser = new Phaser(1) {
            @Override
            protected boolean onAdvance(int phase, int parties) {
                advancing = true;
                return false;
            }
        };
        Thread other = new Thread(phaser::arrive);
        other.start();
        if (advancing) assert phaser.getPhase() == 1; //! assertion if advances
        other.join();
    }

    static void leaves() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        boolean[] left = new boolean[1];
        Thread waits = new Thread(() -> {
            try {
                lock.lockInterruptibly();
            } catch (InterruptedException e) {
                left[0] = true;
            }
        });
        waits.start();
        waits.interrupt();
        waits.join();
        assert left[0];
    }

    static void zero() throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(0);
        Thread.currentThread().interrupt();
        try {
            latch.await();
            assert false;
        } catch (InterruptedException e) {
            assert !Thread.interrupted();
        }
    }
}
