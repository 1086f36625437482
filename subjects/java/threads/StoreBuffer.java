// Dekker's core: with volatile fields both threads never read 0.
//@ method: main
//@ paths: 3
//@ complete: yes
class StoreBuffer {
    static volatile int a, b;
    static int x, y;

    public static void main(String[] arguments) throws InterruptedException {
        Thread s = new Thread(() -> {
            a = 1;
            x = b;
        });
        Thread t = new Thread(() -> {
            b = 1;
            y = a;
        });
        s.start();
        t.start();
        s.join();
        t.join();
        assert x + y > 0;
    }
}
