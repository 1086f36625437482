package java.util.concurrent;

/** As the JDK's, with a monitor. */
public class CyclicBarrier {
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
            return await(false);
        } catch (TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    public int await(long time, TimeUnit unit) throws InterruptedException, BrokenBarrierException, TimeoutException {
        return await(true);
    }

    private int await(boolean timed) throws InterruptedException, BrokenBarrierException, TimeoutException {
        synchronized (this) {
            Round own = round;
            if (own.broken) throw new BrokenBarrierException();
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
                    if (timed) wait(1);
                    else wait();
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
        notifyAll();
    }

    private void tear() {
        round.broken = true;
        missing = parties;
        notifyAll();
    }

    public boolean isBroken() {
        synchronized (this) {
            return round.broken;
        }
    }

    public void reset() {
        synchronized (this) {
            tear();
            round = new Round();
        }
    }

    public int getNumberWaiting() {
        synchronized (this) {
            return parties - missing;
        }
    }
}
