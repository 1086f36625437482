// Enum constants with bodies of their own: which one an input is decides what is called.
//@ method: own
//@ paths: 4
//@ complete: yes
//@ method: inherited
//@ paths: 3
//@ complete: yes
class Bodies {
    interface Binary {
        int at(int a, int b);
    }

    enum Operation implements Binary {
        ADD {
            public int at(int a, int b) {
                return a + b;
            }
        },
        DIVIDE {
            public int at(int a, int b) {
                return a / b; //! division-by-zero if own
            }
        }
    }

    static int own(Operation operation, int x) {
        return operation.at(1, x); //! null-access if own
    }

    enum Mood {
        GOOD,
        BAD {
            @Override
            String text() {
                throw new IllegalStateException("bad"); //! uncaught-exception if inherited
            }
        };

        String text() {
            return "good";
        }
    }

    static String inherited(Mood mood) {
        return mood.text(); //! null-access if inherited
    }
}
