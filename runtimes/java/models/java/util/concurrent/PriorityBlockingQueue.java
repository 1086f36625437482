package java.util.concurrent;

import java.util.AbstractQueue;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.PriorityQueue;

/** As the JDK's: a queue with a monitor. */
public class PriorityBlockingQueue<E> extends AbstractQueue<E> implements BlockingQueue<E>, java.io.Serializable {
    private final PriorityQueue<E> queue;

    public PriorityBlockingQueue() {
        queue = new PriorityQueue<>();
    }

    public PriorityBlockingQueue(int capacity) {
        queue = new PriorityQueue<>(capacity);
    }

    public PriorityBlockingQueue(int capacity, Comparator<? super E> comparator) {
        queue = new PriorityQueue<>(capacity, comparator);
    }

    public PriorityBlockingQueue(Collection<? extends E> from) {
        queue = new PriorityQueue<>(from);
    }

    @Override
    public boolean add(E item) {
        return offer(item);
    }

    @Override
    public boolean offer(E item) {
        if (item == null) throw new NullPointerException();
        synchronized (this) {
            queue.offer(item);
            notify();
            return true;
        }
    }

    @Override
    public void put(E item) {
        offer(item);
    }

    @Override
    public boolean offer(E item, long time, TimeUnit unit) {
        return offer(item);
    }

    @Override
    public E poll() {
        synchronized (this) {
            return queue.poll();
        }
    }

    @Override
    public E take() throws InterruptedException {
        synchronized (this) {
            while (queue.isEmpty()) wait();
            return queue.poll();
        }
    }

    @Override
    public E poll(long time, TimeUnit unit) throws InterruptedException {
        synchronized (this) {
            if (queue.isEmpty()) wait(1);
            return queue.poll();
        }
    }

    @Override
    public E peek() {
        synchronized (this) {
            return queue.peek();
        }
    }

    public Comparator<? super E> comparator() {
        return queue.comparator();
    }

    @Override
    public int size() {
        synchronized (this) {
            return queue.size();
        }
    }

    @Override
    public int remainingCapacity() {
        return Integer.MAX_VALUE;
    }

    @Override
    public boolean remove(Object item) {
        synchronized (this) {
            return queue.remove(item);
        }
    }

    @Override
    public boolean contains(Object item) {
        synchronized (this) {
            return queue.contains(item);
        }
    }

    @Override
    public String toString() {
        synchronized (this) {
            return queue.toString();
        }
    }

    @Override
    public int drainTo(Collection<? super E> to) {
        return drainTo(to, Integer.MAX_VALUE);
    }

    @Override
    public int drainTo(Collection<? super E> to, int most) {
        if (to == null) throw new NullPointerException();
        if (to == this) throw new IllegalArgumentException();
        synchronized (this) {
            int count = 0;
            for (; count < most && !queue.isEmpty(); count++) to.add(queue.poll());
            return count;
        }
    }

    @Override
    public void clear() {
        synchronized (this) {
            queue.clear();
        }
    }

    @Override
    public Object[] toArray() {
        synchronized (this) {
            return queue.toArray();
        }
    }

    @Override
    public <T> T[] toArray(T[] to) {
        synchronized (this) {
            return queue.toArray(to);
        }
    }

    /** Over what there is now. */
    @Override
    public Iterator<E> iterator() {
        Object[] all = toArray();
        return new Iterator<E>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < all.length;
            }

            @Override
            @SuppressWarnings("unchecked")
            public E next() {
                if (next >= all.length) throw new java.util.NoSuchElementException();
                return (E) all[next++];
            }

            @Override
            public void remove() {
                throw XcuteThreads.unsupported("removing by an iterator of a PriorityBlockingQueue");
            }
        };
    }
}
