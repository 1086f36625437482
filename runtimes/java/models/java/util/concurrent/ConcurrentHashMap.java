package java.util.concurrent;

import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * As the JDK's: a map with a monitor, which nobody has while a function of the program runs. Then whoever wants to change the same key waits.
 *
 * <p>An iterator goes over what was there when it was made. Where another one could see more or less, the search is not complete.
 */
public class ConcurrentHashMap<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V>, java.io.Serializable {
    private final Object monitor = new Object();
    private final HashMap<K, V> map;
    /** Keys whose values are computed, each by a thread. */
    private final ArrayList<Object> keys = new ArrayList<>();
    private final ArrayList<Thread> computing = new ArrayList<>();
    private int changes;
    /** How many there are: counted after each change, in a step of its own. */
    private final java.util.concurrent.atomic.LongAdder count = new java.util.concurrent.atomic.LongAdder();

    public ConcurrentHashMap() {
        map = new HashMap<>();
    }

    public ConcurrentHashMap(int capacity) {
        if (capacity < 0) throw new IllegalArgumentException();
        map = new HashMap<>(capacity >= 1 << 29 ? 1 << 30 : capacity + (capacity >>> 1) + 1);
    }

    public ConcurrentHashMap(int capacity, float load) {
        this(capacity, load, 1);
    }

    /** How many threads change it at the same time makes no difference. */
    public ConcurrentHashMap(int capacity, float load, int threads) {
        this(capacity);
        if (!(load > 0) || threads <= 0) throw new IllegalArgumentException();
    }

    public ConcurrentHashMap(Map<? extends K, ? extends V> from) {
        map = new HashMap<>();
        putAll(from);
    }

    // What looks. It never waits for a function.

    @Override
    public int size() {
        return (int) Math.max(0, count.sum());
    }

    public long mappingCount() {
        return size();
    }

    @Override
    public boolean isEmpty() {
        return size() == 0;
    }

    @Override
    public V get(Object key) {
        if (key == null) throw new NullPointerException();
        synchronized (monitor) {
            return map.get(key);
        }
    }

    @Override
    public V getOrDefault(Object key, V otherwise) {
        V found = get(key);
        return found == null ? otherwise : found;
    }

    @Override
    public boolean containsKey(Object key) {
        return get(key) != null;
    }

    @Override
    public boolean containsValue(Object value) {
        if (value == null) throw new NullPointerException();
        Iterator<Entry<K, V>> all = entries();
        while (all.hasNext()) {
            if (all.next().getValue().equals(value)) return true;
        }
        return false;
    }

    public boolean contains(Object value) {
        return containsValue(value);
    }

    // What changes.

    /** Waits until nobody computes the value of a key. Whoever calls it has the monitor. */
    private void settle(Object key) {
        while (true) {
            int at = keys.indexOf(key);
            if (at < 0) break;
            if (computing.get(at) == Thread.currentThread()) throw new IllegalStateException("Recursive update");
            XcuteThreads.awaitUninterruptibly(monitor, monitor);
        }
        if (!keys.isEmpty()) {
            XcuteThreads.coarse("java.util.concurrent.ConcurrentHashMap: a change while a function runs for another key, for which it may have to wait");
        }
    }

    private V put(K key, V value, boolean always) {
        if (key == null || value == null) throw new NullPointerException();
        V old;
        synchronized (monitor) {
            settle(key);
            old = map.get(key);
            if (old == null || always) {
                map.put(key, value);
                changes++;
            }
        }
        if (old == null) count.increment();
        return old;
    }

    @Override
    public V put(K key, V value) {
        return put(key, value, true);
    }

    @Override
    public V putIfAbsent(K key, V value) {
        return put(key, value, false);
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> from) {
        for (Entry<? extends K, ? extends V> entry : from.entrySet()) put(entry.getKey(), entry.getValue());
    }

    @Override
    public V remove(Object key) {
        V old = removed(key);
        if (old != null) count.decrement();
        return old;
    }

    private V removed(Object key) {
        if (key == null) throw new NullPointerException();
        synchronized (monitor) {
            settle(key);
            V old = map.remove(key);
            if (old != null) changes++;
            return old;
        }
    }

    @Override
    public boolean remove(Object key, Object value) {
        if (key == null) throw new NullPointerException();
        synchronized (monitor) {
            settle(key);
            V old = map.get(key);
            if (value == null || old == null || !(old == value || value.equals(old))) return false;
            map.remove(key);
            changes++;
        }
        count.decrement();
        return true;
    }

    @Override
    public boolean replace(K key, V expected, V value) {
        if (key == null || expected == null || value == null) throw new NullPointerException();
        synchronized (monitor) {
            settle(key);
            V old = map.get(key);
            if (old == null || !(old == expected || expected.equals(old))) return false;
            map.put(key, value);
            changes++;
            return true;
        }
    }

    @Override
    public V replace(K key, V value) {
        if (key == null || value == null) throw new NullPointerException();
        synchronized (monitor) {
            settle(key);
            V old = map.get(key);
            if (old != null) {
                map.put(key, value);
                changes++;
            }
            return old;
        }
    }

    /** Not one step: those that come in between may stay. */
    @Override
    public void clear() {
        Iterator<Entry<K, V>> all = entries();
        long left = 0;
        while (all.hasNext()) {
            if (removed(all.next().getKey()) != null) left--;
        }
        if (left != 0) count.add(left);
    }

    // Functions.

    private V begin(K key) {
        settle(key);
        keys.add(key);
        computing.add(Thread.currentThread());
        return map.get(key);
    }

    private void end(K key, boolean done, V value) {
        int more = 0;
        synchronized (monitor) {
            int at = keys.indexOf(key);
            keys.remove(at);
            computing.remove(at);
            if (done) {
                V old = value == null ? map.remove(key) : map.put(key, value);
                more = (value == null ? 0 : 1) - (old == null ? 0 : 1);
                changes++;
            }
            monitor.notifyAll();
        }
        if (more != 0) count.add(more);
    }

    @Override
    public V computeIfAbsent(K key, Function<? super K, ? extends V> function) {
        if (key == null || function == null) throw new NullPointerException();
        V old;
        synchronized (monitor) {
            settle(key);
            old = map.get(key);
            if (old != null) return old;
            begin(key);
        }
        V value = null;
        try {
            value = function.apply(key);
        } finally {
            end(key, value != null, value);
        }
        return value;
    }

    private V computed(K key, boolean present, BiFunction<? super K, ? super V, ? extends V> function) {
        if (key == null || function == null) throw new NullPointerException();
        V old;
        synchronized (monitor) {
            old = begin(key);
        }
        boolean done = false;
        V value = old;
        try {
            if (!present || old != null) {
                value = function.apply(key, old);
                done = true;
            }
        } finally {
            end(key, done, value);
        }
        return value;
    }

    @Override
    public V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends V> function) {
        return computed(key, true, function);
    }

    @Override
    public V compute(K key, BiFunction<? super K, ? super V, ? extends V> function) {
        return computed(key, false, function);
    }

    @Override
    public V merge(K key, V value, BiFunction<? super V, ? super V, ? extends V> function) {
        if (value == null || function == null) throw new NullPointerException();
        return computed(key, false, (same, old) -> old == null ? value : function.apply(old, value));
    }

    @Override
    public void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
        if (function == null) throw new NullPointerException();
        Iterator<Entry<K, V>> all = entries();
        while (all.hasNext()) {
            Entry<K, V> entry = all.next();
            K key = entry.getKey();
            for (V old = entry.getValue(); old != null; old = get(key)) {
                V value = function.apply(key, old);
                if (value == null) throw new NullPointerException();
                if (replace(key, old, value)) break;
            }
        }
    }

    @Override
    public void forEach(BiConsumer<? super K, ? super V> action) {
        if (action == null) throw new NullPointerException();
        Iterator<Entry<K, V>> all = entries();
        while (all.hasNext()) {
            Entry<K, V> entry = all.next();
            action.accept(entry.getKey(), entry.getValue());
        }
    }

    // Views.

    private Iterator<Entry<K, V>> entries() {
        ArrayList<Entry<K, V>> all = new ArrayList<>();
        int since;
        synchronized (monitor) {
            for (Entry<K, V> entry : map.entrySet()) all.add(new Pair<>(this, entry.getKey(), entry.getValue()));
            since = changes;
        }
        if (all.size() > 11) XcuteThreads.coarse("java.util.concurrent.ConcurrentHashMap: the order of more than 11 elements");
        return new Entries<>(this, all, since);
    }

    private static final class Entries<K, V> implements Iterator<Entry<K, V>> {
        private final ConcurrentHashMap<K, V> of;
        private final ArrayList<Entry<K, V>> all;
        private int since;
        private int next;

        Entries(ConcurrentHashMap<K, V> of, ArrayList<Entry<K, V>> all, int since) {
            this.of = of;
            this.all = all;
            this.since = since;
        }

        @Override
        public boolean hasNext() {
            synchronized (of.monitor) {
                if (of.changes != since) {
                    XcuteThreads.coarse("java.util.concurrent.ConcurrentHashMap: what an iterator sees of changes since it was made");
                }
                return next < all.size();
            }
        }

        @Override
        public Entry<K, V> next() {
            if (!hasNext()) throw new NoSuchElementException();
            return all.get(next++);
        }

        @Override
        public void remove() {
            if (next == 0) throw new IllegalStateException();
            synchronized (of.monitor) {
                int before = of.changes;
                of.remove(all.get(next - 1).getKey());
                if (before == since) since = of.changes;
            }
        }
    }

    private static final class Pair<K, V> extends AbstractMap.SimpleEntry<K, V> {
        private final ConcurrentHashMap<K, V> of;

        Pair(ConcurrentHashMap<K, V> of, K key, V value) {
            super(key, value);
            this.of = of;
        }

        @Override
        public V setValue(V value) {
            of.put(getKey(), value);
            return super.setValue(value);
        }
    }

    @Override
    public Set<Entry<K, V>> entrySet() {
        ConcurrentHashMap<K, V> of = this;
        return new AbstractSet<Entry<K, V>>() {
            @Override
            public int size() {
                return of.size();
            }

            @Override
            public Iterator<Entry<K, V>> iterator() {
                return entries();
            }
        };
    }

    @Override
    public Collection<V> values() {
        ConcurrentHashMap<K, V> of = this;
        return new AbstractCollection<V>() {
            @Override
            public int size() {
                return of.size();
            }

            @Override
            public Iterator<V> iterator() {
                Iterator<Entry<K, V>> all = entries();
                return new Iterator<V>() {
                    @Override
                    public boolean hasNext() {
                        return all.hasNext();
                    }

                    @Override
                    public V next() {
                        return all.next().getValue();
                    }

                    @Override
                    public void remove() {
                        all.remove();
                    }
                };
            }
        };
    }

    @Override
    public KeySetView<K, V> keySet() {
        return new KeySetView<>(this, null);
    }

    public static <T> KeySetView<T, Boolean> newKeySet() {
        return new KeySetView<>(new ConcurrentHashMap<>(), Boolean.TRUE);
    }

    /** The keys of a map, which can also be a set of its own. */
    public static final class KeySetView<K, V> extends AbstractSet<K> implements java.io.Serializable {
        private final ConcurrentHashMap<K, V> of;
        private final V value;

        KeySetView(ConcurrentHashMap<K, V> of, V value) {
            this.of = of;
            this.value = value;
        }

        @Override
        public int size() {
            return of.size();
        }

        @Override
        public boolean contains(Object key) {
            return of.containsKey(key);
        }

        @Override
        public boolean remove(Object key) {
            return of.remove(key) != null;
        }

        @Override
        public boolean add(K key) {
            if (value == null) throw new UnsupportedOperationException();
            return of.putIfAbsent(key, value) == null;
        }

        @Override
        public Iterator<K> iterator() {
            Iterator<Entry<K, V>> all = of.entries();
            return new Iterator<K>() {
                @Override
                public boolean hasNext() {
                    return all.hasNext();
                }

                @Override
                public K next() {
                    return all.next().getKey();
                }

                @Override
                public void remove() {
                    all.remove();
                }
            };
        }
    }

    public Enumeration<K> keys() {
        return java.util.Collections.enumeration(keySet());
    }

    public Enumeration<V> elements() {
        return java.util.Collections.enumeration(values());
    }
}
