package java.util.concurrent;

/** As the JDK's, with a monitor, which nobody has while {@link #onAdvance} runs. One that has a parent is not modelled. */
public class Phaser {
    /** Programs may synchronize on this object themselves. */
    private final Object monitor = new Object();
    private int phase;
    private int parties;
    private int unarrived;
    /** The last one has arrived, and {@link #onAdvance} runs. */
    private boolean advancing;

    public Phaser() {
        this(0);
    }

    public Phaser(int parties) {
        if (parties < 0 || parties > 65535) throw new IllegalArgumentException("Illegal number of parties");
        this.parties = unarrived = parties;
    }

    public Phaser(Phaser parent) {
        this(parent, 0);
    }

    public Phaser(Phaser parent, int parties) {
        this(parties);
        if (parent != null) throw XcuteThreads.unsupported("a Phaser that has a parent");
    }

    public int register() {
        return bulkRegister(1);
    }

    public int bulkRegister(int more) {
        if (more < 0) throw new IllegalArgumentException();
        synchronized (monitor) {
            if (more == 0) return phase;
            // Who comes while the phase advances waits for that.
            while (phase >= 0 && advancing) XcuteThreads.awaitUninterruptibly(monitor, monitor);
            if (phase < 0) return phase;
            if (parties + more > 65535) throw new IllegalStateException("Attempt to register more than 65535 parties for " + this);
            parties += more;
            unarrived += more;
            return phase;
        }
    }

    /** One arrives, stays or leaves, and waits or not; the phase in which it did, or the one that it waited for. */
    private int arrived(boolean leaves, boolean waits) {
        int now, left;
        synchronized (monitor) {
            now = phase;
            if (now < 0) return now;
            if (unarrived <= 0) throw new IllegalStateException("Attempted arrival of unregistered party for " + this);
            unarrived--;
            if (leaves) parties--;
            if (unarrived > 0) return waits ? waited(now) : now;
            left = parties;
            if (getClass() == Phaser.class) {
                advance(now, left == 0);
                return waits ? phase : now;
            }
            advancing = true;
        }
        boolean last = onAdvance(now, left);
        synchronized (monitor) {
            advancing = false;
            if (phase >= 0) advance(now, last);
            return waits ? phase : now;
        }
    }

    private void advance(int now, boolean last) {
        int next = (now + 1) & Integer.MAX_VALUE;
        phase = last ? next | Integer.MIN_VALUE : next;
        unarrived = parties;
        monitor.notifyAll();
    }

    public int arrive() {
        return arrived(false, false);
    }

    public int arriveAndDeregister() {
        return arrived(true, false);
    }

    public int arriveAndAwaitAdvance() {
        return arrived(false, true);
    }

    private int waited(int since) {
        if (since < 0) return since;
        while (phase == since) XcuteThreads.awaitUninterruptibly(monitor, monitor);
        return phase;
    }

    public int awaitAdvance(int since) {
        synchronized (monitor) {
            return waited(since);
        }
    }

    public int awaitAdvanceInterruptibly(int since) throws InterruptedException {
        synchronized (monitor) {
            if (since < 0) return since;
            while (phase == since) monitor.wait();
            return phase;
        }
    }

    public int awaitAdvanceInterruptibly(int since, long time, TimeUnit unit) throws InterruptedException, TimeoutException {
        synchronized (monitor) {
            if (since < 0) return since;
            if (phase == since && unit.toNanos(time) > 0) monitor.wait(1);
            if (phase == since) throw new TimeoutException();
            return phase;
        }
    }

    public void forceTermination() {
        synchronized (monitor) {
            phase |= Integer.MIN_VALUE;
            monitor.notifyAll();
        }
    }

    public final int getPhase() {
        synchronized (monitor) {
            return phase;
        }
    }

    public int getRegisteredParties() {
        synchronized (monitor) {
            return parties;
        }
    }

    public int getArrivedParties() {
        synchronized (monitor) {
            return parties - unarrived;
        }
    }

    public int getUnarrivedParties() {
        synchronized (monitor) {
            return unarrived;
        }
    }

    public Phaser getParent() {
        return null;
    }

    public Phaser getRoot() {
        return this;
    }

    public boolean isTerminated() {
        synchronized (monitor) {
            return phase < 0;
        }
    }

    protected boolean onAdvance(int phase, int registered) {
        return registered == 0;
    }
}
