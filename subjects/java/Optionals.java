// What streams end with: Optional and its like hold what an input decides, and give it back.
//@ method: largest
//@ args: --elements 2
//@ complete: yes
//@ method: chain
//@ args: --elements 2
//@ complete: yes
//@ method: numbers
//@ args: --elements 2
//@ complete: yes
//@ method: joined
//@ args: --elements 2
//@ complete: yes
//@ method: listed
//@ args: --elements 2
//@ complete: yes
//@ method: same
//@ complete: yes
//@ method: leaves
//@ complete: no
//@ limit: uninstrumented
//@ method: shown
//@ complete: no
//@ limit: uninstrumented
//@ method: appended
//@ complete: no
//@ limit: uninstrumented
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.StringJoiner;

class Optionals {
    static void largest(int[] all) {
        int most = Arrays.stream(all).max().getAsInt(); //! null-access if largest //! uncaught-exception if largest
        if (most == 17) throw new IllegalStateException("17"); //! uncaught-exception if largest
    }

    static int chain(List<Integer> all) {
        if (all == null) return 0;
        Optional<Integer> first = all.stream().filter(x -> x != null && x > 5).findFirst();
        int more = first.map(x -> x + 1).filter(x -> x != 9).orElse(1);
        return 10 / (more - 8); //! division-by-zero if chain
    }

    static int numbers(int[] all) {
        if (all == null) return 0;
        OptionalInt sum = Arrays.stream(all).reduce((x, y) -> x + y);
        if (sum.isEmpty()) return 1;
        return 10 / (sum.orElse(0) - 3); //! division-by-zero if numbers
    }

    static void joined(String a, String b) {
        StringJoiner all = new StringJoiner("-", "<", ">").add(a).add(b);
        if (all.toString().equals("<x-y>")) throw new IllegalStateException("x-y"); //! uncaught-exception if joined
    }

    static void listed(int[] all) {
        if (all == null) return;
        List<Integer> more = Arrays.stream(all).boxed().map(x -> x * 2).toList();
        if (more.contains(14)) throw new IllegalStateException("7"); //! uncaught-exception if listed
        if (more.size() == 2) more.add(1); //! uncaught-exception if listed
    }

    static void same(Integer a) {
        Optional<Integer> one = List.of(1, 5).stream().filter(x -> x > 3).findFirst();
        if (one.equals(Optional.ofNullable(a))) throw new IllegalStateException("5"); //! uncaught-exception if same
    }

    // Code that is not followed may look into it.
    static boolean leaves(int a) {
        Object one = List.of(a).stream().findFirst();
        return one.toString().length() == 11;
    }

    static boolean shown(int a) {
        return ("x" + List.of(a).stream().findFirst()).equals("xOptional[7]");
    }

    static boolean appended(int a) {
        return new StringBuilder().append(List.of(a).stream().findFirst()).length() == 12;
    }
}
