package java.util;

/** Static methods of {@link Character} that are followed because they are written in Java. */
public final class XcuteCharacter {
    private XcuteCharacter() {}

    public static boolean isValidCodePoint(int point) {
        return point >= 0 && point <= 0x10ffff;
    }

    public static boolean isBmpCodePoint(int point) {
        return point >>> 16 == 0;
    }

    public static boolean isSupplementaryCodePoint(int point) {
        return point >= 0x10000 && point <= 0x10ffff;
    }

    public static boolean isHighSurrogate(char c) {
        return c >= 0xd800 && c <= 0xdbff;
    }

    public static boolean isLowSurrogate(char c) {
        return c >= 0xdc00 && c <= 0xdfff;
    }

    public static boolean isSurrogate(char c) {
        return c >= 0xd800 && c <= 0xdfff;
    }

    public static boolean isSurrogatePair(char high, char low) {
        return isHighSurrogate(high) && isLowSurrogate(low);
    }

    public static int charCount(int point) {
        return point >= 0x10000 ? 2 : 1;
    }

    public static int toCodePoint(char high, char low) {
        return (high << 10) + low + (0x10000 - (0xd800 << 10) - 0xdc00);
    }

    public static char highSurrogate(int point) {
        return (char) ((point >>> 10) + (0xd800 - (0x10000 >>> 10)));
    }

    public static char lowSurrogate(int point) {
        return (char) ((point & 0x3ff) + 0xdc00);
    }

    public static char[] toChars(int point) {
        if (isBmpCodePoint(point)) return new char[] {(char) point};
        if (!isValidCodePoint(point)) {
            throw new IllegalArgumentException("Not a valid Unicode code point: 0x" + XcuteInteger.toHexString(point).toUpperCase());
        }
        return new char[] {highSurrogate(point), lowSurrogate(point)};
    }

    public static String toString(int point) {
        return new String(toChars(point));
    }

    public static int codePointAt(CharSequence text, int at) {
        char high = text.charAt(at);
        if (isHighSurrogate(high) && ++at < text.length()) {
            char low = text.charAt(at);
            if (isLowSurrogate(low)) return toCodePoint(high, low);
        }
        return high;
    }

    public static int codePointBefore(CharSequence text, int at) {
        char low = text.charAt(--at);
        if (isLowSurrogate(low) && at > 0) {
            char high = text.charAt(--at);
            if (isHighSurrogate(high)) return toCodePoint(high, low);
        }
        return low;
    }

    public static char forDigit(int digit, int base) {
        if (digit >= base || digit < 0 || base < 2 || base > 36) return '\0';
        return (char) (digit < 10 ? '0' + digit : 'a' - 10 + digit);
    }

    public static char reverseBytes(char c) {
        return (char) ((c & 0xff00) >> 8 | c << 8);
    }

    public static boolean isISOControl(char c) {
        return isISOControl((int) c);
    }

    public static boolean isISOControl(int point) {
        return point <= 0x9f && (point >= 0x7f || point >>> 5 == 0);
    }

    public static int getNumericValue(char c) {
        return getNumericValue((int) c);
    }

    /** Of other characters than those of ASCII it asks the JDK. */
    public static int getNumericValue(int point) {
        return point >= 0 && point < 128 ? Character.digit(point, 36) : Character.getNumericValue(point);
    }
}
