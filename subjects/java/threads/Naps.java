// A time to wait that is an input: a negative one throws, none is for ever, and any other one may pass.
//@ method: sleeps
//@ complete: yes
//@ method: joins
//@ complete: yes
//@ method: waits
//@ complete: yes
import java.util.concurrent.TimeUnit;

class Naps {
    static boolean ready;

    static void sleeps(int time) throws InterruptedException {
        Thread other = new Thread(() -> {});
        other.start();
        TimeUnit.MILLISECONDS.sleep(time);
        Thread.sleep(time); //! uncaught-exception if sleeps
        other.join();
    }

    static void joins(long time) throws InterruptedException {
        Thread other = new Thread(() -> {});
        other.start();
        other.join(time); //! uncaught-exception if joins
    }

    static void waits(int time) throws InterruptedException {
        Thread other = new Thread(() -> {});
        other.start();
        synchronized (Naps.class) {
            while (!ready && time == 0) Naps.class.wait(time); //! lost-wakeup if waits
        }
    }
}
