package java.util;

/** Static methods of {@link Long} that are followed because they are written in Java. Digits are computed without branches. */
public final class XcuteLong {
    private XcuteLong() {}

    public static long rotateLeft(long x, int by) {
        return x << by | x >>> -by;
    }

    public static long rotateRight(long x, int by) {
        return x >>> by | x << -by;
    }

    public static long reverse(long x) {
        x = (x & 0x5555555555555555L) << 1 | x >>> 1 & 0x5555555555555555L;
        x = (x & 0x3333333333333333L) << 2 | x >>> 2 & 0x3333333333333333L;
        x = (x & 0x0f0f0f0f0f0f0f0fL) << 4 | x >>> 4 & 0x0f0f0f0f0f0f0f0fL;
        return reverseBytes(x);
    }

    public static long reverseBytes(long x) {
        x = (x & 0x00ff00ff00ff00ffL) << 8 | x >>> 8 & 0x00ff00ff00ff00ffL;
        return x << 48 | (x & 0xffff0000L) << 16 | x >>> 16 & 0xffff0000L | x >>> 48;
    }

    public static int compareUnsigned(long x, long y) {
        return Long.compare(x + Long.MIN_VALUE, y + Long.MIN_VALUE);
    }

    /** Hacker's Delight, section 9-3. */
    public static long divideUnsigned(long x, long y) {
        if (y < 0) return (x & ~(x - y)) >>> 63;
        long quotient = (x >>> 1) / y << 1;
        long rest = x - quotient * y;
        return quotient + ((rest | ~(rest - y)) >>> 63);
    }

    public static long remainderUnsigned(long x, long y) {
        return x - divideUnsigned(x, y) * y;
    }

    public static String toHexString(long x) {
        return powered(x, 4, 16);
    }

    public static String toOctalString(long x) {
        return powered(x, 3, 22);
    }

    public static String toBinaryString(long x) {
        return powered(x, 1, 64);
    }

    /** The digits of a number to a base that is a power of two: it is decided how many there are. */
    static String powered(long x, int bits, int most) {
        int count = 1;
        while (count < most && x >>> bits * count != 0) count++;
        char[] digits = new char[count];
        for (int at = 0; at < count; at++) digits[at] = letter((int) (x >>> bits * (count - 1 - at)) & (1 << bits) - 1);
        return new String(digits);
    }

    private static char letter(int digit) {
        return (char) ('0' + digit + (9 - digit >>> 31) * ('a' - '9' - 1));
    }

    public static String toString(long x, int base) {
        if (base < 2 || base > 36 || base == 10) return Long.toString(x);
        char[] digits = new char[65];
        int at = 65;
        boolean negative = x < 0;
        long left = negative ? x : -x;
        do {
            digits[--at] = letter((int) -(left % base));
            left /= base;
        } while (left != 0);
        if (negative) digits[--at] = '-';
        return new String(digits, at, 65 - at);
    }

    public static String toUnsignedString(long x) {
        return toUnsignedString(x, 10);
    }

    public static String toUnsignedString(long x, int base) {
        if (x >= 0) return toString(x, base);
        int by = base < 2 || base > 36 ? 10 : base;
        long above = divideUnsigned(x, by);
        return toString(above, by) + letter((int) (x - above * by));
    }

    static void checkBase(int base) {
        if (base < 2) throw new NumberFormatException("radix " + base + " less than Character.MIN_RADIX");
        if (base > 36) throw new NumberFormatException("radix " + base + " greater than Character.MAX_RADIX");
    }

    static NumberFormatException wrong(String text, int base) {
        return new NumberFormatException("For input string: \"" + text + "\"" + (base == 10 ? "" : " under radix " + base));
    }

    public static Long valueOf(String text, int base) {
        return parseLong(text, base);
    }

    public static long parseLong(String text, int base) {
        if (base == 10) return Long.parseLong(text);
        if (text == null) throw new NumberFormatException("Cannot parse null string");
        checkBase(base);
        int length = text.length();
        if (length == 0) throw wrong("", base);
        char first = text.charAt(0);
        boolean negative = first == '-';
        int from = negative || first == '+' ? 1 : 0;
        if (from == length) throw wrong(text, base);
        long limit = negative ? Long.MIN_VALUE : -Long.MAX_VALUE, value = 0;
        for (int at = from; at < length; at++) {
            int digit = Character.digit(text.charAt(at), base);
            if (digit < 0 || value < limit / base) throw wrong(text, base);
            value *= base;
            if (value < limit + digit) throw wrong(text, base);
            value -= digit;
        }
        return negative ? value : -value;
    }

    public static long parseUnsignedLong(String text) {
        return parseUnsignedLong(text, 10);
    }

    public static long parseUnsignedLong(String text, int base) {
        if (text == null) throw new NumberFormatException("Cannot parse null string");
        int length = text.length();
        if (length == 0) throw wrong("", base);
        if (text.charAt(0) == '-') throw new NumberFormatException("Illegal leading minus sign on unsigned string " + text + ".");
        // This many digits always fit.
        if (length <= 12 || base == 10 && length <= 18) return parseLong(text, base);
        long above = parseLong(text.substring(0, length - 1), base);
        int last = Character.digit(text.charAt(length - 1), base);
        if (last < 0) throw new NumberFormatException("Bad digit at end of " + text);
        long value = above * base + last;
        int guard = base * (int) (above >>> 57);
        if (guard >= 128 || value >= 0 && guard >= 128 - 36) {
            throw new NumberFormatException("String value " + text + " exceeds range of unsigned long.");
        }
        return value;
    }

    public static Long decode(String text) {
        return decoded(text, true);
    }

    static long decoded(String text, boolean wide) {
        int length = text.length();
        if (length == 0) throw new NumberFormatException("Zero length string");
        char first = text.charAt(0);
        boolean negative = first == '-';
        int at = negative || first == '+' ? 1 : 0;
        int base = 10;
        if (text.startsWith("0x", at) || text.startsWith("0X", at)) {
            at += 2;
            base = 16;
        } else if (text.startsWith("#", at)) {
            at++;
            base = 16;
        } else if (text.startsWith("0", at) && length > 1 + at) {
            at++;
            base = 8;
        }
        if (text.startsWith("-", at) || text.startsWith("+", at)) throw new NumberFormatException("Sign character in wrong position");
        String digits = negative ? "-" + text.substring(at) : text.substring(at);
        return wide ? parseLong(digits, base) : XcuteInteger.parseInt(digits, base);
    }
}
