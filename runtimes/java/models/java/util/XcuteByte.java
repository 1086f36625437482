package java.util;

/** Static methods of {@link Byte} that are followed because they are written in Java. */
public final class XcuteByte {
    private XcuteByte() {}

    public static int toUnsignedInt(byte x) {
        return x & 0xff;
    }

    public static long toUnsignedLong(byte x) {
        return x & 0xffL;
    }

    public static int compareUnsigned(byte x, byte y) {
        return toUnsignedInt(x) - toUnsignedInt(y);
    }

    public static byte parseByte(String text) {
        return parseByte(text, 10);
    }

    public static byte parseByte(String text, int base) {
        int value = XcuteInteger.parseInt(text, base);
        if (value < Byte.MIN_VALUE || value > Byte.MAX_VALUE) {
            throw new NumberFormatException("Value out of range. Value:\"" + text + "\" Radix:" + base);
        }
        return (byte) value;
    }

    public static Byte valueOf(String text) {
        return parseByte(text, 10);
    }

    public static Byte valueOf(String text, int base) {
        return parseByte(text, base);
    }

    public static Byte decode(String text) {
        int value = XcuteInteger.decode(text);
        if (value < Byte.MIN_VALUE || value > Byte.MAX_VALUE) {
            throw new NumberFormatException("Value " + value + " out of range from input " + text);
        }
        return (byte) value;
    }
}
