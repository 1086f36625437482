package java.lang;

import java.util.Arrays;

/** Numbers for objects that survive garbage collection: a table by identity, which keeps what is in it alive. */
final class XcuteNumbers {
    private static Object[] keys = new Object[1 << 12];
    private static int[] values = new int[1 << 12];
    private static int count;

    private XcuteNumbers() {}

    static void clear() {
        if (count == 0) return;
        if (keys.length > 1 << 16) {
            keys = new Object[1 << 12];
            values = new int[1 << 12];
        } else {
            Arrays.fill(keys, null);
        }
        count = 0;
    }

    static int of(Object object) {
        int mask = keys.length - 1;
        int at = System.identityHashCode(object) & mask;
        while (keys[at] != null) {
            if (keys[at] == object) return values[at];
            at = (at + 1) & mask;
        }
        keys[at] = object;
        values[at] = ++count;
        int number = count;
        if (2 * count > keys.length) grow();
        return number;
    }

    private static void grow() {
        Object[] oldKeys = keys;
        int[] oldValues = values;
        keys = new Object[2 * oldKeys.length];
        values = new int[keys.length];
        int mask = keys.length - 1;
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] == null) continue;
            int at = System.identityHashCode(oldKeys[i]) & mask;
            while (keys[at] != null) at = (at + 1) & mask;
            keys[at] = oldKeys[i];
            values[at] = oldValues[i];
        }
    }
}
