package java.util.concurrent;

import java.util.AbstractQueue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;

/** As the JDK's, with a monitor: a queue of items, or of those that wait for one. The first that waits is served first. */
public class LinkedTransferQueue<E> extends AbstractQueue<E> implements TransferQueue<E>, java.io.Serializable {
    /** Programs may synchronize on this object themselves. */
    private final Object monitor = new Object();

    /** An item, or somebody who waits for one. */
    private static final class Place {
        final boolean gives;
        Object item;
        boolean met;

        Place(boolean gives, Object item) {
            this.gives = gives;
            this.item = item;
        }
    }

    private static final int NOW = 0;
    private static final int LATER = 1;
    private static final int WAITS = 2;
    private static final int TIMED = 3;

    /** All are of one kind. */
    private final ArrayList<Place> places = new ArrayList<>();

    public LinkedTransferQueue() {}

    public LinkedTransferQueue(Collection<? extends E> all) {
        addAll(all);
    }

    /** Meets the first one of the other kind, or waits for it; who met whom, null if there was nobody. */
    private Place meet(boolean gives, Object item, int how) throws InterruptedException {
        if (gives && item == null) throw new NullPointerException();
        synchronized (monitor) {
            if (!places.isEmpty() && places.get(0).gives != gives) {
                Place other = places.remove(0);
                if (gives) other.item = item;
                other.met = true;
                XcuteThreads.wake(other, monitor, true);
                return other;
            }
            if (how == NOW) return null;
            Place own = new Place(gives, item);
            places.add(own);
            if (how == LATER) return own;
            try {
                boolean in = true;
                while (!own.met && in) in = XcuteThreads.await(own, monitor, how == TIMED);
            } catch (InterruptedException e) {
                if (!own.met) throw e;
                Thread.currentThread().interrupt();
            } finally {
                if (!own.met) places.remove(own);
            }
            return own.met ? own : null;
        }
    }

    private Place atOnce(boolean gives, Object item, int how) {
        try {
            return meet(gives, item, how);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @SuppressWarnings("unchecked")
    private E item(Place met) {
        return met == null ? null : (E) met.item;
    }

    @Override
    public void put(E item) {
        atOnce(true, item, LATER);
    }

    @Override
    public boolean offer(E item, long time, TimeUnit unit) {
        return offer(item);
    }

    @Override
    public boolean offer(E item) {
        atOnce(true, item, LATER);
        return true;
    }

    @Override
    public boolean add(E item) {
        return offer(item);
    }

    @Override
    public boolean tryTransfer(E item) {
        return atOnce(true, item, NOW) != null;
    }

    @Override
    public void transfer(E item) throws InterruptedException {
        XcuteThreads.checkInterrupt();
        meet(true, item, WAITS);
    }

    @Override
    public boolean tryTransfer(E item, long time, TimeUnit unit) throws InterruptedException {
        if (unit.toNanos(time) <= 0) return tryTransfer(item);
        XcuteThreads.checkInterrupt();
        return meet(true, item, TIMED) != null;
    }

    @Override
    public E take() throws InterruptedException {
        XcuteThreads.checkInterrupt();
        return item(meet(false, null, WAITS));
    }

    @Override
    public E poll(long time, TimeUnit unit) throws InterruptedException {
        if (unit.toNanos(time) <= 0) return poll();
        XcuteThreads.checkInterrupt();
        return item(meet(false, null, TIMED));
    }

    @Override
    public E poll() {
        return item(atOnce(false, null, NOW));
    }

    @Override
    public E peek() {
        synchronized (monitor) {
            return places.isEmpty() || !places.get(0).gives ? null : item(places.get(0));
        }
    }

    @Override
    public boolean hasWaitingConsumer() {
        return getWaitingConsumerCount() > 0;
    }

    @Override
    public int getWaitingConsumerCount() {
        synchronized (monitor) {
            return places.isEmpty() || places.get(0).gives ? 0 : places.size();
        }
    }

    @Override
    public int size() {
        synchronized (monitor) {
            return places.isEmpty() || !places.get(0).gives ? 0 : places.size();
        }
    }

    @Override
    public boolean isEmpty() {
        return size() == 0;
    }

    @Override
    public int remainingCapacity() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int drainTo(Collection<? super E> to) {
        return drainTo(to, Integer.MAX_VALUE);
    }

    @Override
    public int drainTo(Collection<? super E> to, int most) {
        if (to == null) throw new NullPointerException();
        if (to == this) throw new IllegalArgumentException();
        int count = 0;
        for (E item; count < most && (item = poll()) != null; count++) to.add(item);
        return count;
    }

    /** What is there when it begins; the JDK's may see what comes later. */
    @Override
    public Iterator<E> iterator() {
        XcuteThreads.coarseForThreads("java.util.concurrent.LinkedTransferQueue: an iterator may see what comes later");
        ArrayList<E> all = new ArrayList<>();
        synchronized (monitor) {
            for (Place place : places) {
                if (place.gives) all.add(item(place));
            }
        }
        return java.util.Collections.unmodifiableList(all).iterator();
    }
}
