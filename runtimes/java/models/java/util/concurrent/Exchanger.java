package java.util.concurrent;

/** As the JDK's, with a monitor. */
public class Exchanger<V> {
    private static final class Offer {
        Object given;
        Object got;
        boolean met;
    }

    private Offer waiting;

    public Exchanger() {}

    public V exchange(V item) throws InterruptedException {
        synchronized (this) {
            Offer own = met(item);
            if (own == null) {
                own = waiting;
                try {
                    while (!own.met) wait();
                } catch (InterruptedException e) {
                    leave(own, e);
                }
            }
            return got(own);
        }
    }

    public V exchange(V item, long time, TimeUnit unit) throws InterruptedException, TimeoutException {
        synchronized (this) {
            Offer own = met(item);
            if (own == null) {
                own = waiting;
                try {
                    wait(1);
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
        notifyAll();
        return own;
    }

    private void leave(Offer own, InterruptedException why) throws InterruptedException {
        if (own.met) return;
        waiting = null;
        throw why;
    }

    @SuppressWarnings("unchecked")
    private V got(Offer own) {
        return (V) own.got;
    }
}
