// Collections of the JDK, followed in copies.
//@ method: list
//@ complete: yes
//@ method: map
//@ complete: yes
//@ method: tree
//@ complete: yes
//@ method: sorts
//@ complete: yes
//@ method: queue
//@ complete: yes
//@ method: fails
//@ complete: yes

import java.util.*;

class Collections1 {
    static void list(int x, int i) {
        List<Integer> list = new ArrayList<>();
        list.add(3);
        list.add(x);
        list.add(5);
        if (list.get(1) == 42 && list.contains(5)) throw new IllegalStateException(); //! uncaught-exception if list
        list.get(i); //! out-of-bounds if list
    }

    static void map(int k) {
        Map<Integer, String> map = new HashMap<>();
        map.put(1, "one");
        map.put(17, "seventeen");
        String s = map.get(k);
        if (s != null && s.length() > 5) throw new IllegalStateException(); //! uncaught-exception if map
    }

    static void tree(int a, int b) {
        TreeMap<Integer, Integer> map = new TreeMap<>();
        map.put(a, 1);
        map.put(b, 2);
        if (map.size() == 1 && map.get(a) != 2) throw new Error("the last one counts");
        if (map.firstKey() == 5 && map.lastKey() == 6) throw new IllegalStateException(); //! uncaught-exception if tree
    }

    static void sorts(int a, int b, int c) {
        Integer[] all = {a, b, c};
        Arrays.sort(all);
        if (all[0] > all[1] || all[1] > all[2]) throw new Error("sorted");
        if (all[0] == 1 && all[2] == 3 && a == 2) throw new IllegalStateException(); //! uncaught-exception if sorts
    }

    static void queue(int a, int b) {
        PriorityQueue<Integer> queue = new PriorityQueue<>();
        queue.add(a);
        queue.add(b);
        ArrayDeque<Integer> deque = new ArrayDeque<>(queue);
        if (deque.peekFirst() > deque.peekLast()) throw new Error("the least first");
        if (a > b && deque.pollFirst() == 7) throw new IllegalStateException(); //! uncaught-exception if queue
    }

    static void fails(int x) {
        List<Integer> list = new LinkedList<>(Arrays.asList(1, 2, 3));
        for (Integer i : list) { //! uncaught-exception if fails
            if (i == x) list.remove(i);
        }
        Iterator<Integer> all = list.iterator();
        for (int i = 0; i < 3; i++) all.next(); //! uncaught-exception if fails
    }
}
