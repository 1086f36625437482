package java.util.concurrent.locks;

/**
 * Threads that wait for a lock: the queue of {@link AbstractQueuedSynchronizer}. Who comes may pass those that wait, unless the lock says otherwise; those that
 * wait are served in the order in which they came, also where the first of them wants more than there is.
 *
 * <p>Between a first try that fails and the place in the queue others may come.
 */
public abstract class XcuteLine {
    private static final class Place {
        final int wanted;
        Place next;

        Place(int wanted) {
            this.wanted = wanted;
        }
    }

    private Place first;

    /** Takes what is wanted, if that is possible now; what proves it, 0 where it is not. Whoever calls it has the monitor. */
    protected abstract long take(int wanted);

    /** Whether one that just came may try before those that wait. */
    protected abstract boolean mayPass(int wanted);

    /** Takes what is wanted, and waits for it. */
    public final long acquire(int wanted) {
        long got = passing(wanted);
        if (got != 0) return got;
        synchronized (this) {
            Place own = come(wanted);
            while (first != own || (got = take(wanted)) == 0) XcuteThreads.awaitUninterruptibly(this, this);
            leave(own);
            return got;
        }
    }

    /** The same, until it is interrupted, or until some time has passed. */
    public final long acquire(int wanted, boolean timed, boolean waits) throws InterruptedException {
        XcuteThreads.checkInterrupt();
        long got = passing(wanted);
        if (got != 0 || !waits) return got;
        synchronized (this) {
            Place own = come(wanted);
            boolean in = true;
            try {
                while (first != own || (got = take(wanted)) == 0) {
                    if (!in) return 0;
                    in = XcuteThreads.await(this, this, timed);
                }
                return got;
            } finally {
                leave(own);
            }
        }
    }

    private long passing(int wanted) {
        synchronized (this) {
            return mayPass(wanted) ? take(wanted) : 0;
        }
    }

    private Place come(int wanted) {
        Place own = new Place(wanted), last = first;
        if (last == null) {
            first = own;
            return own;
        }
        while (last.next != null) last = last.next;
        last.next = own;
        return own;
    }

    private void leave(Place own) {
        if (first == own) {
            first = own.next;
        } else {
            Place before = first;
            while (before.next != own) before = before.next;
            before.next = own.next;
        }
        if (first != null) notifyAll();
    }

    /** Whether nobody waits. Whoever calls it has the monitor. */
    public final boolean isEmpty() {
        return first == null;
    }

    /** What the first one that waits wants. Whoever calls it has the monitor. */
    public final int firstWants() {
        return first.wanted;
    }

    /** Something was given back. Whoever calls it has the monitor. */
    public final void given() {
        if (first != null) notifyAll();
    }
}
