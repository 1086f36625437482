// Integers of all sizes, with Java's meaning: wrapping, shifts, narrowing, division.
//@ method: division
//@ complete: yes
//@ method: wraps
//@ complete: yes
//@ method: shifts
//@ complete: yes
//@ method: narrows
//@ complete: yes
//@ method: longs
//@ complete: yes
//@ method: booleans
//@ paths: 4
//@ complete: yes
//@ method: remainder
//@ complete: yes

class Arithmetic {
    static int division(int a, int b) {
        int q = a / b; //! division-by-zero if division
        if (a == Integer.MIN_VALUE && b == -1) {
            assert q == Integer.MIN_VALUE;
            assert a % b == 0;
        }
        return q;
    }

    static int remainder(int a) {
        if (a % 7 == -3) throw new IllegalStateException(); //! uncaught-exception if remainder
        if (a % 7 == 9) throw new Error("a remainder is smaller than the divisor");
        return a;
    }

    static void wraps(int x) {
        if (x > 0 && x + 10 < 0) throw new IllegalStateException("wrapped"); //! uncaught-exception if wraps
        if (x < 0 && -x < 0) throw new IllegalStateException("least"); //! uncaught-exception if wraps
    }

    static void shifts(int x, int n) {
        if (n == 33) assert x << n == x << 1;
        if (n == -1 && x == 1) assert x << n == Integer.MIN_VALUE;
        if (x < 0 && x >>> 31 != 1) throw new Error("the sign is a bit");
        if (x >> 31 == -1 && x >= 0) throw new Error("the sign is kept");
    }

    static void narrows(int x) {
        byte b = (byte) x;
        char c = (char) x;
        short s = (short) x;
        if (b == -1 && c == 255) throw new IllegalStateException("x is 255"); //! uncaught-exception if narrows
        if (s < 0 && c < 32768) throw new Error("the same bits");
    }

    static void longs(long a, int b) {
        long c = a * 3 + b;
        if (c == 1L << 40 && b == 5) throw new IllegalStateException(); //! uncaught-exception if longs
        if ((int) a == 7 && a > Integer.MAX_VALUE) throw new IllegalStateException(); //! uncaught-exception if longs
    }

    static int booleans(boolean a, boolean b) {
        return a ? b ? 1 : 2 : b ? 3 : 4;
    }
}
