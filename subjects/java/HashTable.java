// A hash map that loses entries of a chain when it grows; and a checker that throws.
//@ calls: put,get
//@ args: --length 3 --post repOk
//@ complete: yes
//@ method: get
//@ args: --pre isSound --post isEmptyOrThrows --elements 1
//@ complete: yes

public class HashTable {
    private static final class Entry {
        final int key;
        int value;
        Entry next;

        Entry(int key, int value, Entry next) {
            this.key = key;
            this.value = value;
            this.next = next;
        }
    }

    private Entry[] table;
    private int size;

    public HashTable() {
        table = new Entry[1];
    }

    HashTable(boolean large) {
        table = new Entry[large ? 2 : 1];
    }

    public void put(int key, int value) {
        int bucket = key & table.length - 1; //! assertion if calls put,get
        for (Entry at = table[bucket]; at != null; at = at.next) {
            if (at.key == key) {
                at.value = value;
                return;
            }
        }
        table[bucket] = new Entry(key, value, table[bucket]);
        if (++size > table.length) grow();
    }

    public int get(int key) {
        for (Entry at = table[key & table.length - 1]; at != null; at = at.next) {
            if (at.key == key) return at.value;
        }
        return -1;
    }

    private void grow() {
        Entry[] wider = new Entry[2 * table.length];
        for (Entry entry : table) {
            while (entry != null) {
                Entry next = entry.next;
                int bucket = entry.key & wider.length - 1;
                // What is in the bucket already is lost.
                entry.next = null;
                wider[bucket] = entry;
                entry = next;
            }
        }
        table = wider;
    }

    boolean repOk() {
        int count = 0;
        for (int bucket = 0; bucket < table.length; bucket++) {
            for (Entry at = table[bucket]; at != null; at = at.next) {
                if ((at.key & table.length - 1) != bucket || ++count > size) return false;
            }
        }
        return count == size;
    }

    /** Throws where there is no table, which means that it does not accept that. */
    boolean isSound() {
        return size <= 1 && table.length == 1 && repOk();
    }

    boolean isEmptyOrThrows() {
        if (table[0] != null) throw new IllegalStateException("not empty"); //! uncaught-exception if get
        return true;
    }
}
