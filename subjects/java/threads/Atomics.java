// An atomic counter loses nothing; looking first and setting then does.
//@ method: main
//@ paths: 8
//@ complete: yes
import java.util.concurrent.atomic.AtomicInteger;

class Atomics {
    static final AtomicInteger good = new AtomicInteger(), bad = new AtomicInteger();

    static void add() {
        good.incrementAndGet();
        bad.set(bad.get() + 1);
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread a = new Thread(Atomics::add), b = new Thread(Atomics::add);
        a.start();
        b.start();
        a.join();
        b.join();
        assert good.get() == 2;
        assert bad.get() == 2; //! assertion
    }
}
