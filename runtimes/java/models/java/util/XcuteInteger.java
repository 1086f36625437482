package java.util;

/** Static methods of {@link Integer} that are followed because they are written in Java. Digits are computed without branches. */
public final class XcuteInteger {
    private XcuteInteger() {}

    public static int rotateLeft(int x, int by) {
        return x << by | x >>> -by;
    }

    public static int rotateRight(int x, int by) {
        return x >>> by | x << -by;
    }

    public static int reverse(int x) {
        x = (x & 0x55555555) << 1 | x >>> 1 & 0x55555555;
        x = (x & 0x33333333) << 2 | x >>> 2 & 0x33333333;
        x = (x & 0x0f0f0f0f) << 4 | x >>> 4 & 0x0f0f0f0f;
        return reverseBytes(x);
    }

    public static int reverseBytes(int x) {
        return x << 24 | (x & 0xff00) << 8 | x >>> 8 & 0xff00 | x >>> 24;
    }

    public static int compareUnsigned(int x, int y) {
        return Integer.compare(x + Integer.MIN_VALUE, y + Integer.MIN_VALUE);
    }

    public static long toUnsignedLong(int x) {
        return x & 0xffffffffL;
    }

    public static int divideUnsigned(int x, int y) {
        return (int) (toUnsignedLong(x) / toUnsignedLong(y));
    }

    public static int remainderUnsigned(int x, int y) {
        return (int) (toUnsignedLong(x) % toUnsignedLong(y));
    }

    public static String toHexString(int x) {
        return XcuteLong.powered(toUnsignedLong(x), 4, 8);
    }

    public static String toOctalString(int x) {
        return XcuteLong.powered(toUnsignedLong(x), 3, 11);
    }

    public static String toBinaryString(int x) {
        return XcuteLong.powered(toUnsignedLong(x), 1, 32);
    }

    public static String toUnsignedString(int x) {
        return Long.toString(toUnsignedLong(x));
    }

    public static String toUnsignedString(int x, int base) {
        return XcuteLong.toString(toUnsignedLong(x), base);
    }

    public static String toString(int x, int base) {
        return XcuteLong.toString((long) x, base);
    }

    public static Integer valueOf(String text, int base) {
        return parseInt(text, base);
    }

    public static int parseInt(String text, int base) {
        if (base == 10) return Integer.parseInt(text);
        if (text == null) throw new NumberFormatException("Cannot parse null string");
        XcuteLong.checkBase(base);
        int length = text.length();
        if (length == 0) throw XcuteLong.wrong("", base);
        char first = text.charAt(0);
        boolean negative = first == '-';
        int from = negative || first == '+' ? 1 : 0;
        if (from == length) throw XcuteLong.wrong(text, base);
        long value = 0;
        for (int at = from; at < length; at++) {
            int digit = Character.digit(text.charAt(at), base);
            if (digit < 0) throw XcuteLong.wrong(text, base);
            value = value * base + digit;
            if (value > (negative ? 0x80000000L : 0x7fffffffL)) throw XcuteLong.wrong(text, base);
        }
        return (int) (negative ? -value : value);
    }

    public static int parseUnsignedInt(String text) {
        return parseUnsignedInt(text, 10);
    }

    public static int parseUnsignedInt(String text, int base) {
        if (text == null) throw new NumberFormatException("Cannot parse null string");
        if (text.length() == 0) throw XcuteLong.wrong("", base);
        if (text.charAt(0) == '-') {
            throw new NumberFormatException("Illegal leading minus sign on unsigned string " + text + ".");
        }
        long value = XcuteLong.parseLong(text, base);
        if ((value & 0xffffffff00000000L) != 0) {
            throw new NumberFormatException("String value " + text + " exceeds range of unsigned int.");
        }
        return (int) value;
    }

    public static Integer decode(String text) {
        return (int) XcuteLong.decoded(text, false);
    }
}
