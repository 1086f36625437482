// Static state is in each run as its initialisers left it, whatever earlier runs did to it.
//@ method: all
//@ complete: yes
//@ paths: 6
//@ method: late
//@ complete: yes
//@ method: registers
//@ complete: yes
//@ method: nested
//@ complete: yes
//@ method: fails
//@ complete: yes
//@ method: taken
//@ complete: yes
//@ paths: 3
import cute.Cute;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class Statics {
    enum Color {
        RED, GREEN;

        int seen;
    }

    static final class Node {
        int value;
        Node next;

        Node(int value) {
            this.value = value;
        }
    }

    static int count;
    static long wide = 7;
    static String name = "first";
    static final int[] cells = {1, 2, 3};
    static final int[][] grid = {{1}, {2, 3}};
    static final List<String> names = new ArrayList<>(List.of("a"));
    static final Map<String, Integer> ages = new HashMap<>();
    static final StringBuilder log = new StringBuilder("x");
    static Node head = new Node(1);

    static void all(int x) {
        assert count == 0 && wide == 7 && name.equals("first") && cells[1] == 2 && grid[1][0] == 2;
        assert names.size() == 1 && ages.isEmpty() && log.length() == 1;
        assert head.value == 1 && head.next == null && Color.RED.seen == 0;
        count++;
        wide = -1;
        name = null;
        cells[1] = 20;
        grid[1] = cells;
        names.add("b");
        ages.put("b", 4);
        log.append('y');
        head.next = new Node(2);
        head.value = 9;
        head = head.next;
        Color.RED.seen++;
        if (x == 5) throw new IllegalStateException(); //! uncaught-exception if all
        if (x > 10) count++;
        if (x > 20) count++;
        if (x > 30) count++;
        if (x > 40) count++;
        assert count < 6;
    }

    static int base = 1;

    static class Late {
        static final int BASE = base;
    }

    /** What an initialiser reads depends on when it runs. */
    static void late(int x) {
        base = x == 7 ? 70 : x == 8 ? 80 : 1;
        if (x > 8) return;
        assert Late.BASE == base;
        if (x == 8) throw new IllegalStateException(); //! uncaught-exception if late
    }

    static final List<String> registered = new ArrayList<>();

    static class Plugin {
        static {
            registered.add("plugin");
        }

        static void load() {}
    }

    /** An initialiser that changes another class. */
    static void registers(int x) {
        if (x > 3) Plugin.load();
        assert registered.size() == (x > 3 ? 1 : 0);
        if (x == 3) throw new IllegalStateException(); //! uncaught-exception if registers
        if (x == 9) throw new IllegalArgumentException(); //! uncaught-exception if registers
    }

    static class Outer {
        static final List<Integer> all = new ArrayList<>();
        static final Inner inner = new Inner();

        static {
            all.add(2);
        }
    }

    static class Inner {
        static int made;

        Inner() {
            Outer.all.add(1);
            made++;
        }
    }

    /** Initialisers inside of initialisers. */
    static void nested(int x) {
        assert Outer.all.size() == 2 && Inner.made == 1;
        Outer.all.add(x);
        Inner.made = x;
        if (x == 11) throw new IllegalStateException(); //! uncaught-exception if nested
        if (x > 20) Outer.all.clear();
    }

    static class Broken {
        static int x = 1 / count;
    }

    /** One that fails, or not. */
    static void fails(int x) {
        if (x == 1) count = 1;
        try {
            assert Broken.x == 1 && x == 1;
        } catch (ExceptionInInitializerError e) {
            assert x != 1;
            if (x == 2) throw new IllegalStateException(); //! uncaught-exception if fails
        }
    }

    static class Taken {
        static int kind;

        static {
            if (Cute.input.Integer() > 5) kind = 1;
            else kind = 2;
        }
    }

    /** One that takes an input, of which only a condition is left. */
    static void taken(int x) {
        if (x > 3 && Taken.kind == 1) throw new IllegalStateException(); //! uncaught-exception if taken
    }
}
