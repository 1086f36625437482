// Lambdas, method references, records, string concatenation, pattern matching: what compilers write with invokedynamic.
//@ method: lambda
//@ complete: yes
//@ method: captures
//@ complete: yes
//@ method: references
//@ complete: yes
//@ method: records
//@ complete: yes
//@ method: pattern
//@ complete: yes
//@ method: enums
//@ complete: yes

class Modern {
    interface Test {
        boolean holds(int x);

        default Test and(Test other) {
            return x -> holds(x) && other.holds(x);
        }
    }

    interface Make<A, B> {
        B of(A a);
    }

    static void lambda(int x) {
        Test t = y -> y > 100;
        Test u = y -> y % 7 == 3;
        if (t.and(u).holds(x) && x < 110) throw new IllegalStateException(); //! uncaught-exception if lambda
    }

    int field;

    boolean check(int y) {
        return field == y;
    }

    static void captures(int x, long y) {
        Modern m = new Modern();
        m.field = x;
        Test t = z -> z + y == x;
        Test u = m::check;
        if (t.holds(3) && u.holds(10) && y > 0) throw new IllegalStateException(); //! uncaught-exception if captures
    }

    static int twice(int x) {
        return 2 * x;
    }

    static class Box {
        final int v;

        Box(int v) {
            this.v = v;
        }

        int get() {
            return v;
        }
    }

    interface IntMake<T> {
        T of(int x);
    }

    interface ToInt<T> {
        int of(T x);
    }

    static void references(int x) {
        IntMake<Box> make = Box::new;
        ToInt<Box> get = Box::get;
        IntMake<Object> boxed = Modern::twice;
        if (get.of(make.of(x)) == 77) throw new IllegalStateException(); //! uncaught-exception if references
        Object o = boxed.of(x);
        if (!(o instanceof Integer)) throw new Error("a number becomes a box");
    }

    record Point(int x, long y, Object o) {}

    static void records(int a, int b) {
        Point p = new Point(a, 5, null), q = new Point(3, b, null);
        if (p.equals(q)) throw new IllegalStateException(); //! uncaught-exception if records
        if (p.hashCode() == q.hashCode() && a == 3 && b != 5) return;
    }

    sealed interface Shape permits Circle, Square {}

    record Circle(int r) implements Shape {}

    record Square(int a) implements Shape {}

    static int pattern(Shape s) {
        if (s instanceof Circle c && c.r() == 5) throw new IllegalStateException(); //! uncaught-exception if pattern
        if (s instanceof Square q && q.a() < 0) return 2;
        return 3;
    }

    enum Color {
        RED, GREEN, BLUE;

        Color next() {
            return switch (this) {
                case RED -> GREEN;
                case GREEN -> BLUE;
                case BLUE -> RED;
            };
        }
    }

    static void enums(Color c) {
        if (c.next() == Color.RED) throw new IllegalStateException(); //! null-access if enums //! uncaught-exception if enums
        if (c == Color.BLUE) throw new Error("its next is RED");
    }
}
