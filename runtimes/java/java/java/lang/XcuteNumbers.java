package java.lang;

import java.util.Arrays;

/** Objects by identity: a table that keeps what is in it alive. */
final class XcuteNumbers {
    /** Arrays that have reported what they hold. */
    static final XcuteNumbers REPORTED = new XcuteNumbers();

    private static final int SMALL = 1 << 10;
    private Object[] keys = new Object[SMALL];
    private int[] values = new int[SMALL];
    private int count;

    private XcuteNumbers() {}

    void clear() {
        if (count == 0) return;
        if (keys.length > 1 << 16) {
            keys = new Object[SMALL];
            values = new int[SMALL];
        } else {
            Arrays.fill(keys, null);
        }
        count = 0;
    }

    boolean isFirst(Object object) {
        int before = count;
        return of(object) > before;
    }

    int of(Object object) {
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

    private void grow() {
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
