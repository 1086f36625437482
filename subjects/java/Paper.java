// The example of section 2 of the paper: a list, a number, an error that random testing does not find.
//@ method: testme
//@ complete: yes

class Paper {
    static class Cell {
        int v;
        Cell next;
    }

    static int f(int v) {
        return 2 * v + 1;
    }

    static int testme(Cell p, int x) {
        if (x > 0)
            if (p != null)
                if (f(x) == p.v)
                    if (p.next == p)
                        throw new IllegalStateException("error"); //! uncaught-exception
        return 0;
    }
}
