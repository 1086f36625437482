// Switches over numbers.
//@ method: dense
//@ paths: 4
//@ complete: yes
//@ method: sparse
//@ paths: 4
//@ complete: yes
//@ method: characters
//@ complete: yes

class Switches {
    static int dense(int x) {
        switch (x) {
            case 1:
            case 2:
                return 10;
            case 3:
                return 20;
            case 5:
                throw new IllegalStateException(); //! uncaught-exception if dense
            default:
                return 0;
        }
    }

    static int sparse(int x) {
        return switch (x) {
            case -1000 -> 1;
            case 70000 -> 2;
            case Integer.MAX_VALUE -> throw new IllegalStateException(); //! uncaught-exception if sparse
            default -> 3;
        };
    }

    static int characters(char c) {
        int n = 0;
        switch (c) {
            case 'a':
                n++;
            case 'b':
                n++;
                break;
            case 'c':
                n = 5;
        }
        if (n == 3) throw new Error("falls through once");
        return n;
    }
}
