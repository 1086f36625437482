package java.util.concurrent;

import java.util.AbstractQueue;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;

/** As the JDK's, with a monitor: whoever comes second finds the first, the latest one unless the queue is fair. */
public class SynchronousQueue<E> extends AbstractQueue<E> implements BlockingQueue<E>, java.io.Serializable {
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
        return fair ? those.pollFirst() : those.pollLast();
    }

    /** Gives an item to somebody who waits for one. */
    private boolean give(E item) {
        Offer taker = other(takers);
        if (taker == null) return false;
        taker.item = item;
        taker.met = true;
        notifyAll();
        return true;
    }

    /** Takes one from somebody who waits; null if there is nobody. */
    @SuppressWarnings("unchecked")
    private E take(Object none) {
        Offer giver = other(givers);
        if (giver == null) return null;
        giver.met = true;
        notifyAll();
        return (E) giver.item;
    }

    private void meet(Offer own, ArrayDeque<Offer> those, boolean timed) throws InterruptedException {
        those.addLast(own);
        try {
            if (timed) {
                wait(1);
            } else {
                while (!own.met) wait();
            }
        } catch (InterruptedException e) {
            if (!own.met) throw e;
        } finally {
            those.remove(own);
        }
    }

    @Override
    public void put(E item) throws InterruptedException {
        if (item == null) throw new NullPointerException();
        synchronized (this) {
            if (give(item)) return;
            Offer own = new Offer();
            own.item = item;
            meet(own, givers, false);
        }
    }

    @Override
    public boolean offer(E item, long time, TimeUnit unit) throws InterruptedException {
        if (item == null) throw new NullPointerException();
        synchronized (this) {
            if (give(item)) return true;
            Offer own = new Offer();
            own.item = item;
            meet(own, givers, true);
            return own.met;
        }
    }

    @Override
    public boolean offer(E item) {
        if (item == null) throw new NullPointerException();
        synchronized (this) {
            return give(item);
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public E take() throws InterruptedException {
        synchronized (this) {
            E found = take(null);
            if (found != null) return found;
            Offer own = new Offer();
            meet(own, takers, false);
            return (E) own.item;
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public E poll(long time, TimeUnit unit) throws InterruptedException {
        synchronized (this) {
            E found = take(null);
            if (found != null) return found;
            Offer own = new Offer();
            meet(own, takers, true);
            return (E) own.item;
        }
    }

    @Override
    public E poll() {
        synchronized (this) {
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
