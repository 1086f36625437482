package java.lang;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import jdk.internal.misc.Unsafe;

/**
 * Makes the objects of an input. The engine says which: their types, then what their fields and elements hold.
 *
 * <p>Constructors do not run: every object that the types allow is an input.
 */
final class XcuteInput {
    private static final Unsafe U = Unsafe.getUnsafe();

    // Kinds of entries in the table of types.
    private static final int CLASS = 0;
    private static final int ARRAY = 1;
    private static final int STRING = 2;
    private static final int BOX = 3;
    private static final int ENUM = 4;
    private static final int FIELD = 5;

    /** An entry, and what it is in the present loader once it is needed. */
    private static final class Entry {
        int kind;
        int of;
        String name;
        Class<?> type;
        long offset;
        char letter;
        Object[] constants;
    }

    private static final ArrayList<Entry> ENTRIES = new ArrayList<>();
    private static long read;

    private XcuteInput() {}

    /** Classes are others from now on. */
    static void forget() {
        for (Entry entry : ENTRIES) {
            entry.type = null;
            entry.constants = null;
        }
    }

    private static Entry entry(int index) {
        while (ENTRIES.size() <= index) {
            long at = XcuteHost.types() + read;
            Entry entry = new Entry();
            entry.kind = U.getInt(at);
            entry.of = U.getInt(at + 4);
            byte[] name = new byte[U.getInt(at + 8)];
            U.copyMemory(null, at + 12, name, XcuteRt.ELEMENTS_AT, name.length);
            entry.name = new String(name, StandardCharsets.UTF_8);
            read += (12 + name.length + 3) / 4 * 4;
            ENTRIES.add(entry);
        }
        return ENTRIES.get(index);
    }

    private static Class<?> named(String name, ClassLoader loader) throws ClassNotFoundException {
        if (name.length() == 1) {
            switch (name.charAt(0)) {
                case 'Z': return boolean.class;
                case 'B': return byte.class;
                case 'C': return char.class;
                case 'S': return short.class;
                case 'I': return int.class;
                case 'J': return long.class;
                case 'F': return float.class;
                case 'D': return double.class;
                default: break;
            }
        }
        return Class.forName(name, false, loader);
    }

    private static Entry resolved(int index, ClassLoader loader) throws ReflectiveOperationException {
        Entry entry = entry(index);
        if (entry.type != null) return entry;
        if (entry.kind == FIELD) {
            Class<?> owner = resolved(entry.of, loader).type;
            Field field = owner.getDeclaredField(entry.name);
            entry.offset = U.objectFieldOffset(field);
            entry.letter = field.getType().isPrimitive() ? letter(field.getType()) : 'L';
            entry.type = owner;
            return entry;
        }
        // Array types are named by their elements.
        entry.type = named(entry.name, loader);
        if (entry.kind == ARRAY) entry.letter = entry.type.isPrimitive() ? letter(entry.type) : 'L';
        return entry;
    }

    private static char letter(Class<?> type) {
        return type.descriptorString().charAt(0);
    }

    /** Reads counts of objects, stores, slots and words of text; then these lists. */
    static void make(long at, ClassLoader loader) throws ReflectiveOperationException, InstantiationException {
        int count = (int) U.getLong(at), stores = (int) U.getLong(at + 8);
        long slots = U.getLong(at + 16);
        long object = at + 32, store = object + 8L * count, slot = store + 16L * stores, text = slot + 8 * slots;
        Object[] objects = new Object[count];
        for (int i = 0; i < count; i++, object += 8) {
            int type = U.getInt(object), length = U.getInt(object + 4);
            Entry entry = resolved(type, loader);
            switch (entry.kind) {
                case ARRAY:
                    objects[i] = Array.newInstance(entry.type, length);
                    break;
                case STRING: {
                    char[] chars = new char[length];
                    U.copyMemory(null, text, chars, XcuteRt.ELEMENTS_AT, 2L * length);
                    text += (2L * length + 7) / 8 * 8;
                    objects[i] = new String(chars);
                    break;
                }
                case BOX: {
                    objects[i] = U.allocateInstance(entry.type);
                    Field value = entry.type.getDeclaredField("value");
                    put(objects[i], U.objectFieldOffset(value), letter(value.getType()), U.getLong(text), null);
                    text += 8;
                    break;
                }
                case ENUM:
                    if (entry.constants == null) entry.constants = entry.type.getEnumConstants();
                    objects[i] = entry.constants[length];
                    break;
                default:
                    objects[i] = U.allocateInstance(entry.type);
            }
        }
        for (int i = 0; i < stores; i++, store += 16) {
            Object to = objects[U.getInt(store)];
            int member = U.getInt(store + 4);
            long value = U.getLong(store + 8);
            if (member < 0) {
                Class<?> array = to.getClass();
                char letter = array.getComponentType().isPrimitive() ? letter(array.getComponentType()) : 'L';
                long offset = XcuteRt.ELEMENTS_AT + (long) U.arrayIndexScale(array) * (member & 0x7fffffff);
                put(to, offset, letter, value, objects);
            } else {
                Entry entry = resolved(member, loader);
                put(to, entry.offset, entry.letter, value, objects);
            }
        }
        XcuteRt.slots = slot;
        XcuteRt.slotCount = slots;
        XcuteRt.objects = objects;
    }

    private static void put(Object to, long offset, char letter, long value, Object[] objects) {
        switch (letter) {
            case 'Z': U.putBoolean(to, offset, value != 0); break;
            case 'B': U.putByte(to, offset, (byte) value); break;
            case 'C': U.putChar(to, offset, (char) value); break;
            case 'S': U.putShort(to, offset, (short) value); break;
            case 'I': U.putInt(to, offset, (int) value); break;
            case 'J': U.putLong(to, offset, value); break;
            case 'F': U.putFloat(to, offset, Float.intBitsToFloat((int) value)); break;
            case 'D': U.putDouble(to, offset, Double.longBitsToDouble(value)); break;
            default: U.putReference(to, offset, value == 0 ? null : objects[(int) value - 1]);
        }
    }
}
