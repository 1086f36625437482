// Enum constants of the program and of inputs are the same objects, wherever the program has them from.
//@ method: compared
//@ paths: 3
//@ complete: yes
//@ method: listed
//@ paths: 4
//@ complete: yes
//@ method: named
//@ complete: yes
//@ method: counted
//@ args: --elements 2
//@ paths: 8
//@ complete: yes
//@ method: mapped
//@ complete: yes
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

class Enums {
    enum Kind {
        A,
        B {
            @Override
            int number() {
                return 2;
            }
        },
        C;

        static final Kind LAST = C;

        int number() {
            return 1;
        }
    }

    static final Kind DEFAULT = Kind.B;

    static int compared(Kind kind) {
        if (kind == DEFAULT) throw new IllegalStateException(); //! uncaught-exception if compared
        if (kind == Kind.LAST) throw new IllegalArgumentException(); //! uncaught-exception if compared
        return 1;
    }

    static int listed(Kind kind) {
        for (Kind other : Kind.values()) {
            if (other == kind && kind.number() == 2) throw new IllegalStateException(); //! uncaught-exception if listed
        }
        return 1;
    }

    static int named(Kind kind) {
        if (Kind.valueOf("C").equals(kind)) throw new IllegalStateException(); //! uncaught-exception if named
        return 1;
    }

    static int counted(List<Kind> all) {
        int count = 0;
        for (Kind kind : all) if (kind == Kind.B) count++; //! null-access if counted
        if (count == 2) throw new IllegalStateException(); //! uncaught-exception if counted
        return count;
    }

    static int mapped(Kind kind) {
        if (kind == null) return 0;
        Map<Kind, Integer> map = new EnumMap<>(Kind.class);
        map.put(Kind.A, 1);
        map.put(Kind.C, 3);
        Integer found = map.get(kind);
        if (found != null && found == 3) throw new IllegalStateException(); //! uncaught-exception if mapped
        return 1;
    }
}
