package xcute;

import java.util.Collection;
import java.util.Map;

/** What annotations of parameters allow, as Bean Validation says it: null is allowed unless an annotation forbids it. */
public final class Constraints {
    private Constraints() {}

    public static boolean notNull(Object value) {
        return value != null;
    }

    public static boolean min(long value, long least) {
        return value >= least;
    }

    public static boolean min(Number value, long least) {
        return value == null || value.longValue() >= least;
    }

    public static boolean max(long value, long most) {
        return value <= most;
    }

    public static boolean max(Number value, long most) {
        return value == null || value.longValue() <= most;
    }

    public static boolean notBlank(String value) {
        return value != null && value.trim().length() > 0;
    }

    private static boolean between(int size, int least, int most) {
        return size >= least && size <= most;
    }

    public static boolean size(String value, int least, int most) {
        return value == null || between(value.length(), least, most);
    }

    public static boolean size(Collection<?> value, int least, int most) {
        return value == null || between(value.size(), least, most);
    }

    public static boolean size(Map<?, ?> value, int least, int most) {
        return value == null || between(value.size(), least, most);
    }

    public static boolean size(Object[] value, int least, int most) {
        return value == null || between(value.length, least, most);
    }

    public static boolean size(boolean[] value, int least, int most) {
        return value == null || between(value.length, least, most);
    }

    public static boolean size(byte[] value, int least, int most) {
        return value == null || between(value.length, least, most);
    }

    public static boolean size(char[] value, int least, int most) {
        return value == null || between(value.length, least, most);
    }

    public static boolean size(short[] value, int least, int most) {
        return value == null || between(value.length, least, most);
    }

    public static boolean size(int[] value, int least, int most) {
        return value == null || between(value.length, least, most);
    }

    public static boolean size(long[] value, int least, int most) {
        return value == null || between(value.length, least, most);
    }

    public static boolean size(float[] value, int least, int most) {
        return value == null || between(value.length, least, most);
    }

    public static boolean size(double[] value, int least, int most) {
        return value == null || between(value.length, least, most);
    }
}
