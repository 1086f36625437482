// Linked lists as inputs: shapes are null, fresh objects and aliases.
//@ method: third
//@ complete: yes
//@ method: cycle
//@ complete: yes
//@ method: alias
//@ complete: yes
//@ method: implicit
//@ complete: yes
//@ method: sum
//@ args: --depth 12
//@ complete: no
//@ limit: depth
//@ limit: trace
//@ limit: cut

class Lists {
    int v;
    Lists next;

    static void third(Lists p) {
        if (p != null && p.next != null && p.next.next != null && p.next.next.v == 5) throw new IllegalStateException(); //! uncaught-exception if third
    }

    static void cycle(Lists p) {
        if (p != null && p.next != null && p.next != p && p.next.next == p) throw new IllegalStateException(); //! uncaught-exception if cycle
    }

    static void alias(Lists p, Lists q) {
        if (p == q && p != null) throw new IllegalStateException(); //! uncaught-exception if alias
    }

    // Only if both are the same object does the second write change what the first wrote.
    static void implicit(Lists p, Lists q) {
        if (p == null || q == null) return;
        p.v = 1;
        q.v = 2;
        if (p.v == 2) throw new IllegalStateException(); //! uncaught-exception if implicit
        if (p == q) throw new Error("then p.v is 2");
    }

    static int sum(Lists p) {
        int n = 0;
        while (p != null) {
            n += p.v; //! hang if sum
            p = p.next;
        }
        if (n == 1000) throw new IllegalStateException(); //! uncaught-exception if sum
        return n;
    }
}
