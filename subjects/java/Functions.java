// Functions as parameters are tables of results: the same argument has the same result, others may have another one.
//@ method: tested
//@ args: --elements 2
//@ complete: yes
//@ method: mapped
//@ args: --elements 2
//@ complete: yes
//@ method: given
//@ args: --elements 1
//@ complete: yes
//@ method: ordered
//@ args: --elements 2
//@ complete: yes
//@ method: run
//@ args: --elements 1
//@ complete: yes
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.Predicate;
import java.util.function.Supplier;

class Functions {
    static int tested(Predicate<Integer> wanted, int a, int b) {
        if (wanted == null) return 0;
        assert wanted.test(a) == wanted.test(a);
        boolean only = wanted.test(a) && !wanted.test(b);
        assert a != b || !only;
        assert !only; //! assertion if tested
        return 1;
    }

    static int mapped(Function<Integer, Integer> by, int a) {
        if (by == null) return 0;
        Integer found = by.apply(a);
        assert found == null || found != a + 1; //! assertion if mapped
        return 1;
    }

    static int given(Supplier<String> name, IntBinaryOperator add) {
        if (name == null || add == null) return 0;
        assert !"x".equals(name.get()); //! assertion if given
        assert add.applyAsInt(1, 2) != 40; //! assertion if given
        return 1;
    }

    static void ordered(Comparator<Integer> by, int a, int b) {
        if (by == null) return;
        List<Integer> all = new ArrayList<>(List.of(a, b));
        all.sort(by);
        assert by.compare(all.get(0), all.get(1)) <= 0;
        assert all.get(0).equals(a); //! assertion if ordered
    }

    static void run(Runnable task) {
        task.run(); //! null-access if run
    }
}
