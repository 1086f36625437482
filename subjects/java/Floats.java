// Floats: NaN, zeros, rounding, conversions that saturate.
//@ method: nan
//@ complete: yes
//@ method: rounds
//@ complete: yes
//@ method: saturates
//@ complete: yes
//@ method: compares
//@ complete: yes

class Floats {
    static void nan(double x) {
        if (x != x) throw new IllegalStateException("NaN"); //! uncaught-exception if nan
        if (!(x < 1) && !(x >= 1)) throw new Error("ordered");
    }

    static void rounds(float x) {
        if (x > 0 && x + 1 == 1) throw new IllegalStateException("lost"); //! uncaught-exception if rounds
    }

    static void saturates(double x) {
        int i = (int) x;
        if (i == Integer.MAX_VALUE && x > 3e9) throw new IllegalStateException("large"); //! uncaught-exception if saturates
        if (i == 0 && x != x) throw new IllegalStateException("NaN"); //! uncaught-exception if saturates
    }

    static int compares(float a, float b) {
        if (a < b) return -1;
        if (a > b) return 1;
        if (a == b) return 0;
        throw new IllegalStateException("unordered"); //! uncaught-exception if compares
    }
}
