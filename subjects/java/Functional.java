// Default and static methods of the JDK's interfaces, with lambdas.
//@ method: comparators
//@ complete: yes
//@ method: loops
//@ complete: yes
//@ method: maps
//@ complete: yes
//@ method: predicates
//@ complete: yes
//@ method: immutable
//@ complete: yes

import java.util.*;
import java.util.function.*;

class Functional {
    record Person(String name, int age) {}

    static void comparators(int a, int b) {
        List<Person> all = new ArrayList<>(List.of(new Person("x", a), new Person("y", b)));
        all.sort(Comparator.comparing(Person::age).reversed().thenComparing(Person::name));
        if (all.get(0).age() < all.get(1).age()) throw new Error("the oldest first");
        if (all.get(0).name().equals("y") && all.get(1).age() == 30) throw new IllegalStateException(); //! uncaught-exception if comparators
    }

    static int sum;

    static void loops(int a) {
        int[] total = new int[1];
        new LinkedList<>(Arrays.asList(a, 2 * a, 3)).forEach(x -> total[0] += x);
        if (total[0] == 18) throw new IllegalStateException(); //! uncaught-exception if loops
        List<Integer> list = new LinkedList<>(Arrays.asList(a, 5));
        list.removeIf(x -> x > 10);
        if (list.size() == 0) throw new Error("5 stays");
        list.replaceAll(x -> x + 1);
        if (list.get(0) == 8) throw new IllegalStateException(); //! uncaught-exception if loops
    }

    static void maps(int k) {
        Map<String, Integer> map = new TreeMap<>();
        map.merge("a", k, Integer::sum);
        map.merge("a", 5, Integer::sum);
        map.computeIfAbsent("b", key -> k * 2);
        if (map.getOrDefault("a", 0) == 105) throw new IllegalStateException(); //! uncaught-exception if maps
        if (map.getOrDefault("b", 1) == 1) throw new Error("even");
    }

    static void predicates(int x) {
        Predicate<Integer> p = y -> y > 3;
        Predicate<Integer> q = p.and(y -> y < 6).or(y -> y == 100).negate();
        if (!q.test(x) && x > 50) throw new IllegalStateException(); //! uncaught-exception if predicates
        Function<Integer, Integer> f = y -> y + 1;
        if (f.andThen(y -> y * 2).compose((Integer y) -> y - 3).apply(x) == 10) throw new IllegalStateException(); //! uncaught-exception if predicates
        Supplier<Optional<Integer>> s = () -> Optional.of(x).filter(y -> y == 9);
        if (s.get().isPresent() && s.get().get() != 9) throw new Error("nine");
    }

    static void immutable(int x) {
        Map<Integer, String> map = Map.of(1, "one", 2, "two", 3, "three");
        String s = map.get(x);
        if (s != null && s.length() == 5) throw new IllegalStateException(); //! uncaught-exception if immutable
        if (Set.of(4, 5, 6).contains(x) && x == 7) throw new Error("no 7");
    }
}
