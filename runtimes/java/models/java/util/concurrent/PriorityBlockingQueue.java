package java.util.concurrent;

import java.util.AbstractQueue;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.PriorityQueue;

/** As the JDK's: a queue with a monitor. */
public class PriorityBlockingQueue<E> extends AbstractQueue<E> implements BlockingQueue<E>, java.io.Serializable {
    /** Programs may synchronize on this object themselves. */
    private final Object monitor = new Object();
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
        synchronized (monitor) {
            queue.offer(item);
            monitor.notify();
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
        synchronized (monitor) {
            return queue.poll();
        }
    }

    @Override
    public E take() throws InterruptedException {
        XcuteThreads.checkInterrupt();
        synchronized (monitor) {
            while (queue.isEmpty()) monitor.wait();
            return queue.poll();
        }
    }

    @Override
    public E poll(long time, TimeUnit unit) throws InterruptedException {
        XcuteThreads.checkInterrupt();
        boolean in = unit.toNanos(time) > 0;
        synchronized (monitor) {
            while (queue.isEmpty() && in) in = XcuteThreads.await(monitor, monitor, true);
            return queue.poll();
        }
    }

    @Override
    public E peek() {
        synchronized (monitor) {
            return queue.peek();
        }
    }

    public Comparator<? super E> comparator() {
        return queue.comparator();
    }

    @Override
    public int size() {
        synchronized (monitor) {
            return queue.size();
        }
    }

    @Override
    public int remainingCapacity() {
        return Integer.MAX_VALUE;
    }

    @Override
    public boolean remove(Object item) {
        synchronized (monitor) {
            return queue.remove(item);
        }
    }

    @Override
    public boolean contains(Object item) {
        synchronized (monitor) {
            return queue.contains(item);
        }
    }

    @Override
    public String toString() {
        synchronized (monitor) {
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
        synchronized (monitor) {
            int count = 0;
            for (; count < most && !queue.isEmpty(); count++) to.add(queue.poll());
            return count;
        }
    }

    @Override
    public void clear() {
        synchronized (monitor) {
            queue.clear();
        }
    }

    @Override
    public Object[] toArray() {
        synchronized (monitor) {
            return queue.toArray();
        }
    }

    @Override
    public <T> T[] toArray(T[] to) {
        synchronized (monitor) {
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
