package java.util.concurrent;

import java.util.AbstractQueue;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;

/** As the JDK's, with a monitor: whoever comes second finds the first, the latest one unless the queue is fair. */
public class SynchronousQueue<E> extends AbstractQueue<E> implements BlockingQueue<E>, java.io.Serializable {
    /** Programs may synchronize on this object themselves. */
    private final Object monitor = new Object();
    private static final class Offer {
        Object item;
        boolean met;
    }

    private final boolean fair;
    private final ArrayDeque<Offer> givers = new ArrayDeque<>();
    private final ArrayDeque<Offer> takers = new ArrayDeque<>();

    public SynchronousQueue() {
        this(false);
    }

    public SynchronousQueue(boolean fair) {
        this.fair = fair;
    }

    private Offer other(ArrayDeque<Offer> those) {
        if (!fair && those.size() > 1) {
            XcuteThreads.coarse("java.util.concurrent.SynchronousQueue: of several threads that wait, the last one is served first");
        }
        return fair ? those.pollFirst() : those.pollLast();
    }

    /** Gives an item to somebody who waits for one. */
    private boolean give(E item) {
        Offer taker = other(takers);
        if (taker == null) return false;
        taker.item = item;
        taker.met = true;
        monitor.notifyAll();
        return true;
    }

    /** Takes one from somebody who waits; null if there is nobody. */
    @SuppressWarnings("unchecked")
    private E take(Object none) {
        Offer giver = other(givers);
        if (giver == null) return null;
        giver.met = true;
        monitor.notifyAll();
        return (E) giver.item;
    }

    private void meet(Offer own, ArrayDeque<Offer> those, boolean timed, boolean waits) throws InterruptedException {
        those.addLast(own);
        try {
            if (timed) {
                if (waits) monitor.wait(1);
            } else {
                while (!own.met) monitor.wait();
            }
        } catch (InterruptedException e) {
            if (!own.met) throw e;
            Thread.currentThread().interrupt();
        } finally {
            those.remove(own);
        }
    }

    @Override
    public void put(E item) throws InterruptedException {
        if (item == null) throw new NullPointerException();
        synchronized (monitor) {
            if (give(item)) return;
            Offer own = new Offer();
            own.item = item;
            meet(own, givers, false, true);
        }
    }

    @Override
    public boolean offer(E item, long time, TimeUnit unit) throws InterruptedException {
        if (item == null) throw new NullPointerException();
        synchronized (monitor) {
            if (give(item)) return true;
            Offer own = new Offer();
            own.item = item;
            meet(own, givers, true, unit.toNanos(time) > 0);
            return own.met;
        }
    }

    @Override
    public boolean offer(E item) {
        if (item == null) throw new NullPointerException();
        synchronized (monitor) {
            return give(item);
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public E take() throws InterruptedException {
        synchronized (monitor) {
            E found = take(null);
            if (found != null) return found;
            Offer own = new Offer();
            meet(own, takers, false, true);
            return (E) own.item;
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public E poll(long time, TimeUnit unit) throws InterruptedException {
        synchronized (monitor) {
            E found = take(null);
            if (found != null) return found;
            Offer own = new Offer();
            meet(own, takers, true, unit.toNanos(time) > 0);
            return (E) own.item;
        }
    }

    @Override
    public E poll() {
        synchronized (monitor) {
            return take(null);
        }
    }

    @Override
    public boolean isEmpty() {
        return true;
    }

    @Override
    public int size() {
        return 0;
    }

    @Override
    public int remainingCapacity() {
        return 0;
    }

    @Override
    public void clear() {}

    @Override
    public boolean contains(Object item) {
        return false;
    }

    @Override
    public boolean remove(Object item) {
        return false;
    }

    @Override
    public E peek() {
        return null;
    }

    @Override
    public Iterator<E> iterator() {
        return Collections.emptyIterator();
    }

    @Override
    public int drainTo(Collection<? super E> to) {
        return drainTo(to, Integer.MAX_VALUE);
    }

    @Override
    public int drainTo(Collection<? super E> to, int most) {
        if (to == this) throw new IllegalArgumentException();
        int count = 0;
        for (E item; count < most && (item = poll()) != null; count++) to.add(item);
        return count;
    }
}
