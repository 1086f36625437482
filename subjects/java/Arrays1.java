// Arrays: symbolic elements, indices and lengths.
//@ method: index
//@ complete: yes
//@ method: length
//@ complete: yes
//@ method: sorted
//@ args: --elements 3
//@ complete: yes
//@ method: made
//@ complete: yes
//@ method: table
//@ complete: yes
//@ method: store
//@ complete: yes
//@ method: square
//@ args: --elements 2
//@ complete: yes

class Arrays1 {
    static int index(int[] a, int i) {
        return a[i]; //! null-access if index //! out-of-bounds if index
    }

    static void length(char[] a) {
        if (a != null && a.length == 5 && a[4] == 'x') throw new IllegalStateException(); //! uncaught-exception if length
    }

    static void sorted(int[] a) {
        if (a == null) return;
        for (int i = 1; i < a.length; i++) if (a[i - 1] > a[i]) return;
        if (a.length == 3 && a[0] + 2 == a[2]) throw new IllegalStateException(); //! uncaught-exception if sorted
        for (int i = 2; i < a.length; i++) if (a[0] > a[i]) throw new Error("not sorted");
    }

    static int made(int n) {
        int[] a = new int[n & 7];
        for (int i = 0; i < a.length; i++) a[i] = i * i;
        if (a.length == 6 && a[5] != 25) throw new Error("25");
        byte[] b = new byte[n]; //! uncaught-exception if made
        return b.length;
    }

    static void table(int x) {
        int[] t = {3, 1, 4, 1, 5, 9, 2, 6};
        if (t[x & 7] == 9) throw new IllegalStateException(); //! uncaught-exception if table
        if (t[x & 7] == 7) throw new Error("there is no 7");
    }

    static void store(int i, int v) {
        int[] a = new int[4];
        a[i & 3] = v;
        a[1] = 8;
        if (a[i & 3] != v && (i & 3) != 1) throw new Error("what was stored is read");
        if (a[2] == 77) throw new IllegalStateException(); //! uncaught-exception if store
    }

    static void square(int[][] a, int i) {
        if (a[i][i] == 17) throw new IllegalStateException(); //! uncaught-exception if square //! null-access if square //! out-of-bounds if square
    }
}
