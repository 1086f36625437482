// Static methods of numbers and characters that are written in Java: what they return is known exactly.
//@ method: turned
//@ complete: yes
//@ method: unsigned
//@ complete: yes
//@ method: shown
//@ complete: yes
//@ method: read
//@ args: --elements 3
//@ complete: yes
//@ method: decoded
//@ args: --elements 3
//@ complete: yes
//@ method: points
//@ complete: yes
//@ method: floats
//@ complete: yes

class Digits {
    static void turned(int x, long y) {
        if (Integer.reverse(x) == 0x12345678) throw new IllegalStateException(); //! uncaught-exception if turned
        if (Long.reverseBytes(y) == 0x1234567800L) throw new IllegalArgumentException(); //! uncaught-exception if turned
        if (Integer.rotateRight(Integer.rotateLeft(x, 5), 5) != x) throw new Error("all bits come back");
    }

    static void unsigned(int x, byte b) {
        if (Integer.toUnsignedLong(x) == 4000000000L) throw new IllegalStateException(); //! uncaught-exception if unsigned
        if (Integer.compareUnsigned(x, -2) > 0 && x != -1) throw new Error("only one is more");
        if (Byte.toUnsignedInt(b) == 200) throw new IllegalArgumentException(); //! uncaught-exception if unsigned
    }

    static void shown(int x) {
        if (Integer.toHexString(x).equals("cafe")) throw new IllegalStateException(); //! uncaught-exception if shown
        if (Integer.toString(x, 36).equals("-zz")) throw new IllegalArgumentException(); //! uncaught-exception if shown
    }

    static void read(String text) {
        if (text == null) return;
        int value;
        try {
            value = Integer.parseInt(text, 16);
        } catch (NumberFormatException e) {
            return;
        }
        if (value == -0xc) throw new IllegalStateException(); //! uncaught-exception if read
        if (value > 0xfff) throw new Error("three digits are not enough");
    }

    static void decoded(String text) {
        if (text == null) return;
        int value;
        try {
            value = Short.decode(text);
        } catch (NumberFormatException e) {
            return;
        }
        if (value == 15 && text.startsWith("0")) throw new IllegalStateException(); //! uncaught-exception if decoded
    }

    static void points(int point, char c) {
        if (Character.isValidCodePoint(point) && Character.charCount(point) == 2 && Character.lowSurrogate(point) == 0xdc05) {
            if (Character.toChars(point).length != 2) throw new Error("two characters");
            throw new IllegalStateException(); //! uncaught-exception if points
        }
        if (Character.isJavaIdentifierStart(c) && !Character.isLetter(c) && c < 128 && c != '_' && c != '$') throw new Error("there are two");
    }

    static void floats(double x) {
        if (Math.getExponent(x) == 3 && Math.signum(x) < 0) throw new IllegalStateException(); //! uncaught-exception if floats
        if (Math.copySign(x, -1.0) > 0) throw new Error("it is negative");
    }
}
