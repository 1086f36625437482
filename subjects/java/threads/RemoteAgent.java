// The executive of a spacecraft, after the case study of Java PathFinder (Table VII of the paper): an event is missed between looking at its count and
// waiting for it.
//@ method: main
//@ paths: 32
//@ complete: no
class RemoteAgent {
    static class Event {
        int count;

        synchronized void await() throws InterruptedException {
            wait(); //! lost-wakeup
        }

        synchronized void signal() {
            count = (count + 1) % 3;
            notifyAll();
        }
    }

    static final Event first = new Event(), second = new Event();

    static void task(Event own, Event other, boolean signals) {
        int count = own.count; //! data-race
        try {
            for (int i = 0; i < 2; i++) {
                if (signals) other.signal();
                if (count == own.count) own.await();
                count = own.count;
                if (!signals) other.signal();
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread a = new Thread(() -> task(first, second, true)), b = new Thread(() -> task(second, first, false));
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
