// Streams are followed: what a pipeline does with each element decides the paths.
//@ method: range
//@ complete: yes
//@ method: some
//@ args: --elements 2
//@ complete: yes
//@ method: kept
//@ args: --elements 2
//@ complete: yes
//@ method: joined
//@ args: --elements 2
//@ complete: yes
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

class Streams {
    static void range(int n) {
        assert IntStream.range(1, 4).map(i -> i * n).sum() != 42; //! assertion if range
    }

    static boolean some(int[] all) {
        if (all == null) return false;
        boolean found = Arrays.stream(all).filter(x -> x > 5).anyMatch(x -> x == 7);
        assert !found; //! assertion if some
        return found;
    }

    static int kept(int[] all) {
        if (all == null) return 0;
        List<Integer> positive = Arrays.stream(all).filter(x -> x > 0).boxed().collect(Collectors.toList());
        assert positive.size() < 2 || positive.get(0) != 9; //! assertion if kept
        return positive.size();
    }

    static int joined(int a, int b) {
        return List.of(a, b).stream().filter(x -> x != b).mapToInt(Integer::intValue).sum() == 7 ? 1 : 0;
    }
}
