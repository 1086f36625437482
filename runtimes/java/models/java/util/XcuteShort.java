package java.util;

/** Static methods of {@link Short} that are followed because they are written in Java. */
public final class XcuteShort {
    private XcuteShort() {}

    public static short reverseBytes(short x) {
        return (short) ((x & 0xff00) >> 8 | x << 8);
    }

    public static int toUnsignedInt(short x) {
        return x & 0xffff;
    }

    public static long toUnsignedLong(short x) {
        return x & 0xffffL;
    }

    public static int compareUnsigned(short x, short y) {
        return toUnsignedInt(x) - toUnsignedInt(y);
    }

    public static short parseShort(String text) {
        return parseShort(text, 10);
    }

    public static short parseShort(String text, int base) {
        int value = XcuteInteger.parseInt(text, base);
        if (value < Short.MIN_VALUE || value > Short.MAX_VALUE) {
            throw new NumberFormatException("Value out of range. Value:\"" + text + "\" Radix:" + base);
        }
        return (short) value;
    }

    public static Short valueOf(String text) {
        return parseShort(text, 10);
    }

    public static Short valueOf(String text, int base) {
        return parseShort(text, base);
    }

    public static Short decode(String text) {
        int value = XcuteInteger.decode(text);
        if (value < Short.MIN_VALUE || value > Short.MAX_VALUE) {
            throw new NumberFormatException("Value " + value + " out of range from input " + text);
        }
        return (short) value;
    }
}
