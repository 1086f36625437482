// Functions that count and find bits, and digits to any base: what they return is known exactly.
//@ method: count
//@ complete: yes
//@ method: ends
//@ complete: yes
//@ method: wide
//@ complete: yes
//@ method: digit
//@ complete: yes

class Bits {
    static void count(int x) {
        if (Integer.bitCount(x) == 31 && x > 0) throw new IllegalStateException(); //! uncaught-exception if count
        if (Integer.bitCount(x) > 32 || Integer.bitCount(x) < 0) throw new Error("there are 32");
    }

    static void ends(int x) {
        if (Integer.numberOfTrailingZeros(x) == 5 && Integer.numberOfLeadingZeros(x) == 7) {
            if (Integer.lowestOneBit(x) != 32 || Integer.highestOneBit(x) != 1 << 24) throw new Error("these are the ends");
            throw new IllegalStateException(); //! uncaught-exception if ends
        }
        if (Integer.numberOfTrailingZeros(x) == 32 && x != 0) throw new Error("only 0 has none");
    }

    static void wide(long x) {
        if (Long.numberOfTrailingZeros(x) == 40 && Long.bitCount(x) == 2 && Long.numberOfLeadingZeros(x) == 0) {
            if (Long.highestOneBit(x) + Long.lowestOneBit(x) != x) throw new Error("there are two");
            throw new IllegalStateException(); //! uncaught-exception if wide
        }
    }

    static void digit(char c) {
        if (Character.digit(c, 16) == 11 && c > 'z') throw new IllegalStateException(); //! uncaught-exception if digit
        if (Character.digit(c, 8) == 8) throw new Error("there are eight");
    }
}
