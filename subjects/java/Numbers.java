// Boxes, and functions of the JDK on numbers.
//@ method: boxes
//@ complete: yes
//@ method: identity
//@ complete: yes
//@ method: inputs
//@ complete: yes
//@ method: exact
//@ complete: yes
//@ method: functions
//@ complete: yes
//@ method: copies
//@ complete: yes

class Numbers {
    static void boxes(int x) {
        Integer i = x;
        Object o = i;
        if (o.equals(7)) throw new IllegalStateException(); //! uncaught-exception if boxes
        Long l = (long) x * 2;
        if (l == 2_000_000_002L) throw new IllegalStateException(); //! uncaught-exception if boxes
        if (l.intValue() != 2 * x) throw new Error("the low bits");
    }

    static void identity(int x) {
        Integer a = x, b = x;
        if (a != b && x > 0) throw new IllegalStateException("two boxes"); //! uncaught-exception if identity
        if (a != b && x == 5) throw new Error("small ones are shared");
        if (a == b && x == 500) throw new Error("large ones are not");
    }

    static void inputs(Integer a, Boolean b) {
        if (a != null && b != null && b && a == 77) throw new IllegalStateException(); //! uncaught-exception if inputs
    }

    static int exact(int a, int b) {
        int c = Math.addExact(a, b); //! signed-overflow if exact
        int d = Math.multiplyExact(c, 3); //! signed-overflow if exact
        return Math.negateExact(d);
    }

    static void functions(int a, int b) {
        if (Math.abs(a) < 0) throw new IllegalStateException("least"); //! uncaught-exception if functions
        if (Math.max(a, b) == 10 && Math.min(a, b) == -10) throw new IllegalStateException(); //! uncaught-exception if functions
        if (b != 0 && Math.floorMod(a, 8) < 0) throw new Error("not negative");
    }

    static void copies(int x) {
        int[] a = {1, x, 3, 4};
        int[] b = a.clone();
        System.arraycopy(a, 0, a, 1, 3);
        if (a[2] == 99) throw new IllegalStateException(); //! uncaught-exception if copies
        if (b[1] != x || b[2] != 3 || a[1] != 1) throw new Error("copied");
    }
}
