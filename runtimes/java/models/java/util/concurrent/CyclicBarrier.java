package java.util.concurrent;

/** As the JDK's, with a monitor. */
public class CyclicBarrier {
    /** Programs may synchronize on this object themselves. */
    private final Object monitor = new Object();
    /** A round: all that arrive in it go on together, or none does. */
    private static final class Round {
        boolean over;
        boolean broken;
    }

    private final int parties;
    private final Runnable action;
    private Round round = new Round();
    private int missing;

    public CyclicBarrier(int parties, Runnable action) {
        if (parties <= 0) throw new IllegalArgumentException();
        this.parties = missing = parties;
        this.action = action;
    }

    public CyclicBarrier(int parties) {
        this(parties, null);
    }

    public int getParties() {
        return parties;
    }

    public int await() throws InterruptedException, BrokenBarrierException {
        try {
            return await(false, true);
        } catch (TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    public int await(long time, TimeUnit unit) throws InterruptedException, BrokenBarrierException, TimeoutException {
        return await(true, unit.toNanos(time) > 0);
    }

    private int await(boolean timed, boolean waits) throws InterruptedException, BrokenBarrierException, TimeoutException {
        synchronized (monitor) {
            Round own = round;
            if (own.broken) throw new BrokenBarrierException();
            try {
                XcuteThreads.checkInterrupt();
            } catch (InterruptedException e) {
                tear();
                throw e;
            }
            int index = --missing;
            if (index == 0) {
                boolean ran = false;
                try {
                    if (action != null) action.run();
                    ran = true;
                } finally {
                    if (!ran) tear();
                }
                next();
                return 0;
            }
            while (true) {
                try {
                    if (!timed) monitor.wait();
                    else if (waits) monitor.wait(1);
                } catch (InterruptedException e) {
                    if (own == round && !own.broken) {
                        tear();
                        throw e;
                    }
                    Thread.currentThread().interrupt();
                }
                if (own.broken) throw new BrokenBarrierException();
                if (own.over) return index;
                if (timed) {
                    tear();
                    throw new TimeoutException();
                }
            }
        }
    }

    private void next() {
        round.over = true;
        round = new Round();
        missing = parties;
        monitor.notifyAll();
    }

    private void tear() {
        round.broken = true;
        missing = parties;
        monitor.notifyAll();
    }

    public boolean isBroken() {
        synchronized (monitor) {
            return round.broken;
        }
    }

    public void reset() {
        synchronized (monitor) {
            tear();
            round = new Round();
        }
    }

    public int getNumberWaiting() {
        synchronized (monitor) {
            return parties - missing;
        }
    }
}
