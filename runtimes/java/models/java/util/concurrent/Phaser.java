package java.util.concurrent;

/** As the JDK's, with a monitor. One that has a parent is not modelled. */
public class Phaser {
    private int phase;
    private int parties;
    private int unarrived;

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
        synchronized (this) {
            if (more == 0 || phase < 0) return phase;
            if (parties + more > 65535) throw new IllegalStateException("Attempt to register more than 65535 parties for " + this);
            parties += more;
            unarrived += more;
            return phase;
        }
    }

    /** One arrives, and stays or leaves; the phase in which it did. */
    private int arrived(boolean leaves) {
        int now = phase;
        if (now < 0) return now;
        if (unarrived <= 0) throw new IllegalStateException("Attempted arrival of unregistered party for " + this);
        unarrived--;
        if (leaves) parties--;
        if (unarrived == 0) {
            boolean last = onAdvance(now, parties);
            int next = (now + 1) & Integer.MAX_VALUE;
            phase = last ? next | Integer.MIN_VALUE : next;
            unarrived = parties;
            notifyAll();
        }
        return now;
    }

    public int arrive() {
        synchronized (this) {
            return arrived(false);
        }
    }

    public int arriveAndDeregister() {
        synchronized (this) {
            return arrived(true);
        }
    }

    public int arriveAndAwaitAdvance() {
        synchronized (this) {
            return waited(arrived(false));
        }
    }

    private int waited(int since) {
        if (since < 0) return since;
        while (phase == since) XcuteThreads.awaitUninterruptibly(this, this);
        return phase;
    }

    public int awaitAdvance(int since) {
        synchronized (this) {
            return waited(since);
        }
    }

    public int awaitAdvanceInterruptibly(int since) throws InterruptedException {
        synchronized (this) {
            if (since < 0) return since;
            while (phase == since) wait();
            return phase;
        }
    }

    public int awaitAdvanceInterruptibly(int since, long time, TimeUnit unit) throws InterruptedException, TimeoutException {
        synchronized (this) {
            if (since < 0) return since;
            if (phase == since) wait(1);
            if (phase == since) throw new TimeoutException();
            return phase;
        }
    }

    public void forceTermination() {
        synchronized (this) {
            phase |= Integer.MIN_VALUE;
            notifyAll();
        }
    }

    public final int getPhase() {
        synchronized (this) {
            return phase;
        }
    }

    public int getRegisteredParties() {
        synchronized (this) {
            return parties;
        }
    }

    public int getArrivedParties() {
        synchronized (this) {
            return parties - unarrived;
        }
    }

    public int getUnarrivedParties() {
        synchronized (this) {
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
        synchronized (this) {
            return phase < 0;
        }
    }

    protected boolean onAdvance(int phase, int registered) {
        return registered == 0;
    }
}
