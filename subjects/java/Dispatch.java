// Virtual and interface calls on inputs: the class is chosen.
//@ method: area
//@ complete: yes
//@ method: tests
//@ complete: no
//@ limit: unsupported
//@ method: casts
//@ complete: yes
//@ method: receiver
//@ complete: yes

class Dispatch {
    interface Shape {
        int area();

        default int twice() {
            return 2 * area();
        }
    }

    static final class Square implements Shape {
        int side;

        public int area() {
            return side * side;
        }
    }

    static class Rectangle implements Shape {
        int a, b;

        public int area() {
            return a * b;
        }
    }

    static class Frame extends Rectangle {
        int border;

        @Override
        public int area() {
            return super.area() - border;
        }

        @Override
        public int twice() {
            return 7;
        }
    }

    static void area(Shape s) {
        if (s.area() == 49) throw new IllegalStateException(); //! null-access if area //! uncaught-exception if area
        if (s.twice() == 7 && !(s instanceof Frame)) throw new Error("twice is even");
    }

    static int tests(Object o) {
        if (o instanceof Square) return ((Square) o).side == 3 ? 1 : 2;
        if (o instanceof Rectangle) {
            if (o instanceof Frame && ((Frame) o).border == 4) throw new IllegalStateException(); //! uncaught-exception if tests
            return 3;
        }
        return 4;
    }

    static int casts(Shape s) {
        return ((Rectangle) s).a; //! uncaught-exception if casts //! null-access if casts
    }

    int x;

    void receiver(int y) {
        if (x == y * 2 && y > 1000) throw new IllegalStateException(); //! uncaught-exception if receiver
    }
}
