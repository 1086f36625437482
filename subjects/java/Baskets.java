// Parameters of the JDK's own types: lists, sets, maps, queues, optionals and builders, made of arrays and strings.
//@ method: odd
//@ args: --elements 2
//@ complete: yes
//@ method: total
//@ args: --elements 1
//@ complete: yes
//@ method: twins
//@ args: --elements 2
//@ complete: yes
//@ method: next
//@ args: --elements 2
//@ complete: yes
//@ method: name
//@ complete: yes
//@ method: turned
//@ args: --elements 3
//@ complete: yes

import java.util.*;

class Baskets {
    // Two even numbers in a row: the second one stays.
    static int odd(List<Integer> all) {
        for (int i = 0; i < all.size(); i++) { //! null-access if odd
            if (all.get(i) % 2 == 0) all.remove(i); //! null-access if odd
        }
        for (int x : all) { //! null-access if odd
            if (x % 2 == 0) throw new IllegalStateException("an even number is left"); //! uncaught-exception if odd
        }
        return all.size();
    }

    static int total(Map<String, Integer> prices, int count) {
        Integer price = prices.get("t"); //! null-access if total
        if (price == null || prices.size() != 1) return 0;
        return 100 / (price - count); //! division-by-zero if total
    }

    static boolean twins(Set<Integer> some, Collection<Integer> others) {
        if (some.size() == 1 && others.size() == 2 && some.containsAll(others)) { //! null-access if twins
            throw new IllegalStateException("twins"); //! uncaught-exception if twins
        }
        return false;
    }

    static int next(Deque<Short> waiting) {
        waiting.addLast((short) 1); //! null-access if next
        short first = waiting.removeFirst(); //! null-access if next
        return 10 / first; //! division-by-zero if next
    }

    static int name(Optional<String> name) {
        return name.get().length(); //! uncaught-exception if name
    }

    static void turned(StringBuilder text) {
        text.append('c').reverse(); //! null-access if turned
        if (text.toString().equals("cba")) throw new IllegalStateException(); //! uncaught-exception if turned
    }
}
