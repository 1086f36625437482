// Fig. 2 of the paper: the error needs an input and an order, x=2 before x=3 before the comparison. The paper needs four runs.
//@ method: main
//@ paths: 4
//@ complete: yes
//@ method: fixed
//@ paths: 3
//@ complete: yes
import cute.Cute;

class Figure2 {
    static int x;
    static int z;

    static void one() {
        x = 3;
    }

    static void two() {
        x = 2; //! data-race
        if (2 * z + 1 == x)
            throw new IllegalStateException("error"); //! uncaught-exception
    }

    static void run() throws InterruptedException {
        Thread a = new Thread(Figure2::one), b = new Thread(Figure2::two);
        a.start();
        b.start();
        a.join();
        b.join();
    }

    public static void main(String[] arguments) throws InterruptedException {
        z = Cute.input.Integer();
        run();
    }

    static void fixed() throws InterruptedException {
        z = 1;
        run();
    }
}
