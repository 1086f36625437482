package java.util;

/** Static methods of {@link Math} and {@link StrictMath} that are followed because they are written in Java. */
public final class XcuteMath {
    private XcuteMath() {}

    public static int absExact(int x) {
        if (x == Integer.MIN_VALUE) throw new ArithmeticException("Overflow to represent absolute value of Integer.MIN_VALUE");
        return Math.abs(x);
    }

    public static long absExact(long x) {
        if (x == Long.MIN_VALUE) throw new ArithmeticException("Overflow to represent absolute value of Long.MIN_VALUE");
        return Math.abs(x);
    }

    public static long floorDiv(long x, int y) {
        return Math.floorDiv(x, (long) y);
    }

    public static int floorMod(long x, int y) {
        return (int) Math.floorMod(x, (long) y);
    }

    public static long multiplyExact(long x, int y) {
        return Math.multiplyExact(x, (long) y);
    }

    public static long multiplyFull(int x, int y) {
        return (long) x * y;
    }

    /** Hacker's Delight, section 8-2. */
    public static long multiplyHigh(long x, long y) {
        long x1 = x >> 32, x0 = x & 0xffffffffL, y1 = y >> 32, y0 = y & 0xffffffffL;
        long z = x1 * y0 + (x0 * y0 >>> 32);
        return x1 * y1 + (z >> 32) + (x0 * y1 + (z & 0xffffffffL) >> 32);
    }

    public static double toRadians(double degrees) {
        return degrees * 0.017453292519943295;
    }

    public static double toDegrees(double radians) {
        return radians * 57.29577951308232;
    }

    public static double signum(double x) {
        return x > 0 ? 1 : x < 0 ? -1 : x;
    }

    public static float signum(float x) {
        return x > 0 ? 1 : x < 0 ? -1 : x;
    }

    public static double copySign(double magnitude, double sign) {
        long bits = Double.doubleToRawLongBits(sign) & Long.MIN_VALUE | Double.doubleToRawLongBits(magnitude) & Long.MAX_VALUE;
        return Double.longBitsToDouble(bits);
    }

    public static float copySign(float magnitude, float sign) {
        int bits = Float.floatToRawIntBits(sign) & Integer.MIN_VALUE | Float.floatToRawIntBits(magnitude) & Integer.MAX_VALUE;
        return Float.intBitsToFloat(bits);
    }

    public static int getExponent(double x) {
        return (int) (Double.doubleToRawLongBits(x) >>> 52 & 0x7ff) - 1023;
    }

    public static int getExponent(float x) {
        return (Float.floatToRawIntBits(x) >>> 23 & 0xff) - 127;
    }

    public static double nextUp(double x) {
        if (!(x < Double.POSITIVE_INFINITY)) return x;
        // A zero becomes the positive one.
        long bits = Double.doubleToRawLongBits(x + 0.0);
        return Double.longBitsToDouble(bits + (bits >= 0 ? 1 : -1));
    }

    public static float nextUp(float x) {
        if (!(x < Float.POSITIVE_INFINITY)) return x;
        int bits = Float.floatToRawIntBits(x + 0.0f);
        return Float.intBitsToFloat(bits + (bits >= 0 ? 1 : -1));
    }

    public static double nextDown(double x) {
        return -nextUp(-x);
    }

    public static float nextDown(float x) {
        return -nextUp(-x);
    }

    public static double nextAfter(double x, double to) {
        if (x > to) return nextDown(x);
        if (x < to) return nextUp(x);
        return x == to ? to : x + to;
    }

    public static float nextAfter(float x, double to) {
        if (x > to) return nextDown(x);
        if (x < to) return nextUp(x);
        return x == to ? (float) to : x + (float) to;
    }

    public static double ulp(double x) {
        double size = Math.abs(x);
        if (!(size < Double.POSITIVE_INFINITY)) return size;
        return size == Double.MAX_VALUE ? size - nextDown(size) : nextUp(size) - size;
    }

    public static float ulp(float x) {
        float size = Math.abs(x);
        if (!(size < Float.POSITIVE_INFINITY)) return size;
        return size == Float.MAX_VALUE ? size - nextDown(size) : nextUp(size) - size;
    }
}
