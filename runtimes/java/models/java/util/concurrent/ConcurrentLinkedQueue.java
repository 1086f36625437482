package java.util.concurrent;

import java.util.AbstractQueue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.Queue;

/** As the JDK's, with a monitor: each of its methods is one operation for all threads. */
public class ConcurrentLinkedQueue<E> extends AbstractQueue<E> implements Queue<E>, java.io.Serializable {
    /** Programs may synchronize on this object themselves. */
    private final Object monitor = new Object();
    private final ArrayList<E> items = new ArrayList<>();

    public ConcurrentLinkedQueue() {}

    public ConcurrentLinkedQueue(Collection<? extends E> all) {
        for (E item : all) offer(item);
    }

    @Override
    public boolean add(E item) {
        return offer(item);
    }

    @Override
    public boolean offer(E item) {
        if (item == null) throw new NullPointerException();
        synchronized (monitor) {
            return items.add(item);
        }
    }

    @Override
    public E poll() {
        synchronized (monitor) {
            return items.isEmpty() ? null : items.remove(0);
        }
    }

    @Override
    public E peek() {
        synchronized (monitor) {
            return items.isEmpty() ? null : items.get(0);
        }
    }

    @Override
    public boolean isEmpty() {
        return peek() == null;
    }

    @Override
    public int size() {
        XcuteThreads.coarseForThreads("java.util.concurrent.ConcurrentLinkedQueue.size: it counts while others change the queue");
        synchronized (monitor) {
            return items.size();
        }
    }

    @Override
    public boolean contains(Object item) {
        synchronized (monitor) {
            return item != null && items.contains(item);
        }
    }

    @Override
    public boolean remove(Object item) {
        synchronized (monitor) {
            return item != null && items.remove(item);
        }
    }

    @Override
    public void clear() {
        while (poll() != null) {}
    }

    /** What is there when it begins; the JDK's may see what comes later. */
    @Override
    public Iterator<E> iterator() {
        XcuteThreads.coarseForThreads("java.util.concurrent.ConcurrentLinkedQueue: an iterator may see what comes later");
        ArrayList<E> all;
        synchronized (monitor) {
            all = new ArrayList<>(items);
        }
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < all.size();
            }

            @Override
            public E next() {
                if (!hasNext()) throw new java.util.NoSuchElementException();
                return all.get(next++);
            }

            @Override
            public void remove() {
                if (next == 0) throw new IllegalStateException();
                ConcurrentLinkedQueue.this.remove(all.get(next - 1));
            }
        };
    }
}
