package java.lang;

import jdk.internal.misc.Unsafe;

/** Reports what strings, their builders and arrays of numbers hold, behind the event that reports the object. */
final class XcuteContents {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final int TEXTS = 16;
    private static final int ARRAYS = 32;
    private static final int LONGEST = 4096;
    private static final long CONTENTS = 0x40L << 56;

    private XcuteContents() {}

    static void add(Object value, long event, long usedAt) {
        if ((XcuteRt.contents & TEXTS) != 0 && value instanceof CharSequence) {
            if (value instanceof String || value instanceof AbstractStringBuilder) text((CharSequence) value, event, usedAt);
        } else if ((XcuteRt.contents & TEXTS) != 0 && (value instanceof Number || value instanceof Character || value instanceof Boolean)) {
            box(value, event, usedAt);
        } else if ((XcuteRt.contents & ARRAYS) != 0 && value.getClass().isArray() && value.getClass().getComponentType().isPrimitive()) {
            array(value, event, usedAt);
        }
    }

    /** A value as the stack has it. */
    private static void box(Object value, long event, long usedAt) {
        long bits;
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) bits = ((Number) value).intValue() & 0xffffffffL;
        else if (value instanceof Long) bits = (Long) value;
        else if (value instanceof Character) bits = (Character) value;
        else if (value instanceof Boolean) bits = (Boolean) value ? 1 : 0;
        else if (value instanceof Float) bits = Float.floatToRawIntBits((Float) value) & 0xffffffffL;
        else if (value instanceof Double) bits = Double.doubleToRawLongBits((Double) value);
        else return;
        if (!fits(1, usedAt)) return;
        U.putLong(event, U.getLong(event) | CONTENTS);
        U.putLong(event + 16, 1);
        U.putLong(event + 24, bits);
        U.putLong(usedAt, U.getLong(usedAt) + 16);
    }

    private static boolean fits(long words, long usedAt) {
        return U.getLong(usedAt) + 8 * words + 8 < XcuteRt.most;
    }

    private static void text(CharSequence text, long event, long usedAt) {
        int length = text.length();
        long words = (length + 3) / 4;
        if (length > LONGEST || !fits(words, usedAt)) return;
        U.putLong(event, U.getLong(event) | CONTENTS);
        U.putLong(event + 8, U.getLong(event + 8) & 0xffffffff00000000L | length);
        U.putLong(event + 16, words);
        for (int i = 0; i < words; i++) {
            long word = 0;
            for (int j = Math.min(3, length - 1 - 4 * i); j >= 0; j--) word = word << 16 | text.charAt(4 * i + j);
            U.putLong(event + 24 + 8L * i, word);
        }
        U.putLong(usedAt, U.getLong(usedAt) + 8 + 8 * words);
    }

    /** Only the first time: what followed code writes later is known. */
    private static void array(Object array, long event, long usedAt) {
        long bytes = (long) U.getInt(array, XcuteRt.LENGTH_AT) * U.arrayIndexScale(array.getClass());
        long words = (bytes + 7) / 8;
        if (bytes > LONGEST || !fits(words, usedAt) || !XcuteNumbers.REPORTED.isFirst(array)) return;
        U.putLong(event, U.getLong(event) | CONTENTS);
        U.putLong(event + 16, words);
        if (words > 0) U.putLong(event + 16 + 8 * words, 0);
        U.copyMemory(array, XcuteRt.ELEMENTS_AT, null, event + 24, bytes);
        U.putLong(usedAt, U.getLong(usedAt) + 8 + 8 * words);
    }
}
