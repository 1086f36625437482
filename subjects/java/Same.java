// Two strings that may be one object: every path is found, whether or not what they hold is looked at first.
//@ method: same
//@ args: --elements 2
//@ complete: yes
//@ method: keys
//@ args: --elements 1
//@ complete: yes
//@ method: order
//@ args: --elements 2
//@ complete: yes
//@ method: slots
//@ args: --elements 1
//@ complete: yes
import java.util.HashMap;
import java.util.Map;

class Same {
    static int same(String a, String b) {
        if (a == null || b == null) return -1;
        if (a.hashCode() != b.hashCode()) return 0;
        if (a == b) throw new IllegalStateException(); //! uncaught-exception if same
        return a.equals(b) ? 2 : 3;
    }

    static int keys(String a, String b) {
        Map<String, Integer> map = new HashMap<>();
        map.put(a, 1);
        map.put(b, 2);
        assert map.size() == 2; //! assertion if keys
        return map.size();
    }

    static int order(String a, String b) {
        if (a == null || b == null) return 0;
        Comparable<String> first = a;
        return first.compareTo(b) < 0 ? 1 : 2;
    }

    static void slots(String a, String b) {
        if (a == null || b == null || a.length() != 1 || b.length() != 1) return;
        Object[] slots = new Object[2];
        slots[a.charAt(0) & 1] = a;
        assert slots[b.charAt(0) & 1] != null; //! assertion if slots
    }
}
