package java.util.concurrent;

/** As the JDK's, with a monitor. */
public class Exchanger<V> {
    /** Programs may synchronize on this object themselves. */
    private final Object monitor = new Object();
    private static final class Offer {
        Object given;
        Object got;
        boolean met;
    }

    private Offer waiting;

    public Exchanger() {}

    public V exchange(V item) throws InterruptedException {
        XcuteThreads.checkInterrupt();
        synchronized (monitor) {
            Offer own = met(item);
            if (own == null) {
                own = waiting;
                try {
                    while (!own.met) monitor.wait();
                } catch (InterruptedException e) {
                    leave(own, e);
                }
            }
            return got(own);
        }
    }

    public V exchange(V item, long time, TimeUnit unit) throws InterruptedException, TimeoutException {
        XcuteThreads.checkInterrupt();
        synchronized (monitor) {
            Offer own = met(item);
            if (own == null) {
                own = waiting;
                try {
                    if (unit.toNanos(time) > 0) monitor.wait(1);
                } catch (InterruptedException e) {
                    leave(own, e);
                }
                if (!own.met) {
                    waiting = null;
                    throw new TimeoutException();
                }
            }
            return got(own);
        }
    }

    /** What comes of meeting one that waits; null where nobody does: then this one waits now. */
    private Offer met(V item) {
        Offer own = new Offer();
        own.given = item;
        Offer other = waiting;
        if (other == null) {
            waiting = own;
            return null;
        }
        waiting = null;
        other.got = item;
        own.got = other.given;
        other.met = own.met = true;
        monitor.notifyAll();
        return own;
    }

    private void leave(Offer own, InterruptedException why) throws InterruptedException {
        if (own.met) {
            Thread.currentThread().interrupt();
            return;
        }
        waiting = null;
        throw why;
    }

    @SuppressWarnings("unchecked")
    private V got(Offer own) {
        return (V) own.got;
    }
}
