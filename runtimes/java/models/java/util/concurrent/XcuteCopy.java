package java.util.concurrent;

/**
 * What programs with threads call in place of {@code System.arraycopy}: it copies element by element, so that others can come in between.
 *
 * <p>What throws is left to the JDK's method.
 */
public final class XcuteCopy {
    private XcuteCopy() {}

    private static boolean fits(int start, int length, int target, int room, int count) {
        return start >= 0 && target >= 0 && count >= 0 && start <= length - count && target <= room - count;
    }

    public static void arraycopy(Object from, int start, Object to, int target, int count) {
        // Elements that are copied onto later ones of the same array are copied from the end.
        boolean back = from == to && start < target;
        if (from instanceof Object[] && to instanceof Object[]) {
            Object[] source = (Object[]) from, destination = (Object[]) to;
            if (fits(start, source.length, target, destination.length, count)) {
                for (int i = 0; i < count; i++) {
                    int at = back ? count - 1 - i : i;
                    destination[target + at] = source[start + at];
                }
                return;
            }
        } else if (from instanceof int[] && to instanceof int[]) {
            int[] source = (int[]) from, destination = (int[]) to;
            if (fits(start, source.length, target, destination.length, count)) {
                for (int i = 0; i < count; i++) {
                    int at = back ? count - 1 - i : i;
                    destination[target + at] = source[start + at];
                }
                return;
            }
        } else if (from instanceof long[] && to instanceof long[]) {
            long[] source = (long[]) from, destination = (long[]) to;
            if (fits(start, source.length, target, destination.length, count)) {
                for (int i = 0; i < count; i++) {
                    int at = back ? count - 1 - i : i;
                    destination[target + at] = source[start + at];
                }
                return;
            }
        } else if (from instanceof char[] && to instanceof char[]) {
            char[] source = (char[]) from, destination = (char[]) to;
            if (fits(start, source.length, target, destination.length, count)) {
                for (int i = 0; i < count; i++) {
                    int at = back ? count - 1 - i : i;
                    destination[target + at] = source[start + at];
                }
                return;
            }
        } else if (from instanceof byte[] && to instanceof byte[]) {
            byte[] source = (byte[]) from, destination = (byte[]) to;
            if (fits(start, source.length, target, destination.length, count)) {
                for (int i = 0; i < count; i++) {
                    int at = back ? count - 1 - i : i;
                    destination[target + at] = source[start + at];
                }
                return;
            }
        } else if (from instanceof boolean[] && to instanceof boolean[]) {
            boolean[] source = (boolean[]) from, destination = (boolean[]) to;
            if (fits(start, source.length, target, destination.length, count)) {
                for (int i = 0; i < count; i++) {
                    int at = back ? count - 1 - i : i;
                    destination[target + at] = source[start + at];
                }
                return;
            }
        } else if (from instanceof double[] && to instanceof double[]) {
            double[] source = (double[]) from, destination = (double[]) to;
            if (fits(start, source.length, target, destination.length, count)) {
                for (int i = 0; i < count; i++) {
                    int at = back ? count - 1 - i : i;
                    destination[target + at] = source[start + at];
                }
                return;
            }
        } else if (from instanceof float[] && to instanceof float[]) {
            float[] source = (float[]) from, destination = (float[]) to;
            if (fits(start, source.length, target, destination.length, count)) {
                for (int i = 0; i < count; i++) {
                    int at = back ? count - 1 - i : i;
                    destination[target + at] = source[start + at];
                }
                return;
            }
        } else if (from instanceof short[] && to instanceof short[]) {
            short[] source = (short[]) from, destination = (short[]) to;
            if (fits(start, source.length, target, destination.length, count)) {
                for (int i = 0; i < count; i++) {
                    int at = back ? count - 1 - i : i;
                    destination[target + at] = source[start + at];
                }
                return;
            }
        }
        System.arraycopy(from, start, to, target, count);
    }
}
