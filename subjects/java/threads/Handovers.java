// Queues that hand over, exchangers, phasers, stamped locks.
//@ method: hands
//@ paths: 4
//@ complete: yes
//@ method: offers
//@ paths: 2
//@ complete: yes
//@ method: exchanges
//@ paths: 2
//@ complete: yes
//@ method: priorities
//@ paths: 6
//@ complete: yes
//@ method: phases
//@ paths: 6
//@ complete: yes
//@ method: stamps
//@ paths: 18
//@ complete: yes
import java.util.concurrent.Exchanger;
import java.util.concurrent.Phaser;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.StampedLock;

class Handovers {
    static int got, x, y;

    static Thread started(Runnable run) {
        Thread thread = new Thread(run);
        thread.start();
        return thread;
    }

    static void hands(int value) throws InterruptedException {
        SynchronousQueue<Integer> queue = new SynchronousQueue<>();
        Thread a = started(() -> {
            try {
                queue.put(value);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        got = queue.take();
        a.join();
        assert got == value;
        if (got == 12) throw new IllegalStateException(); //! uncaught-exception if hands
    }

    static void offers() throws InterruptedException {
        SynchronousQueue<Integer> queue = new SynchronousQueue<>();
        Thread a = started(() -> queue.offer(5));
        queue.take(); //! deadlock if offers
        a.join();
    }

    static void exchanges() throws InterruptedException {
        Exchanger<String> exchanger = new Exchanger<>();
        String[] all = new String[2];
        Thread a = started(() -> {
            try {
                all[0] = exchanger.exchange("a");
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        all[1] = exchanger.exchange("b");
        a.join();
        assert all[0].equals("b") && all[1].equals("a");
    }

    static void priorities() throws InterruptedException {
        PriorityBlockingQueue<Integer> queue = new PriorityBlockingQueue<>();
        Thread a = started(() -> {
            queue.put(2);
            queue.put(1);
        });
        int first = queue.take(), second = queue.take();
        a.join();
        assert first + second == 3;
        assert first < second; //! assertion if priorities
    }

    static void phases() throws InterruptedException {
        Phaser phaser = new Phaser(2);
        Thread a = started(() -> {
            x = 1;
            phaser.arriveAndAwaitAdvance();
            phaser.arriveAndDeregister();
        });
        phaser.arriveAndAwaitAdvance();
        assert x == 1;
        assert phaser.arriveAndAwaitAdvance() == 2;
        a.join();
        assert phaser.getRegisteredParties() == 1;
    }

    static void stamps() throws InterruptedException {
        StampedLock lock = new StampedLock();
        x = y = 0;
        Thread a = started(() -> {
            long stamp = lock.writeLock();
            x++;
            y++;
            lock.unlockWrite(stamp);
        });
        long stamp = lock.readLock();
        assert x == y;
        lock.unlockRead(stamp);
        long seen = lock.tryOptimisticRead();
        a.join();
        assert x == 1 && (!lock.validate(seen) || seen != 0);
    }
}
