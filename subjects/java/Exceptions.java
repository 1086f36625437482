// Exceptions: thrown and caught, in this method and below it, with finally, and those that the JVM throws.
//@ method: caught
//@ paths: 3
//@ complete: yes
//@ method: finals
//@ complete: yes
//@ method: below
//@ complete: yes
//@ method: nested
//@ complete: yes
//@ method: constructor
//@ complete: yes
//@ method: asserts
//@ complete: yes

class Exceptions {
    static int caught(int x) {
        try {
            if (x == 3) throw new IllegalArgumentException();
            return 10 / (x - 7);
        } catch (ArithmeticException e) {
            return -1;
        } catch (IllegalArgumentException e) {
            return -2;
        }
    }

    static int finals(int x) {
        int y = 0;
        try {
            y = 1;
            if (x > 100) throw new RuntimeException(); //! uncaught-exception if finals
            y = 2;
        } finally {
            if (x > 200 && y != 1) throw new Error("finally saw another value");
        }
        return y;
    }

    static int helper(int x) {
        if (x == 12345) throw new IllegalStateException();
        return x;
    }

    static int below(int x) {
        try {
            return helper(x + 1);
        } catch (IllegalStateException e) {
            if (x != 12344) throw new Error("not this x");
            throw new UnsupportedOperationException(); //! uncaught-exception if below
        }
    }

    static int nested(int[] a, int i) {
        int n = 0;
        try {
            try {
                n = a[i];
            } catch (NullPointerException e) {
                n = -1;
            } finally {
                n += 10;
            }
        } catch (ArrayIndexOutOfBoundsException e) {
            n = -2;
        }
        if (n == 8) throw new IllegalStateException("an element is -2"); //! uncaught-exception if nested
        if (n == 9 && a != null) throw new IllegalStateException("an element is -1"); //! uncaught-exception if nested
        return n;
    }

    static class Base {
        Base(int x) {
            if (x < 0) throw new IllegalArgumentException(); //! uncaught-exception if constructor
        }
    }

    static class Sub extends Base {
        final int twice;

        Sub(int x) {
            super(100 / x); //! division-by-zero if constructor
            twice = 2 * x;
        }
    }

    static int constructor(int x) {
        return new Sub(x).twice;
    }

    static void asserts(int x) {
        assert x != 42 : "x is " + x; //! assertion if asserts
    }
}
