// lastzero(3): one thread looks for the last zero of an array, the others write the elements.
//@ method: main
//@ paths: 12
class LastZero {
    static final int[] a = new int[4];

    static void look() {
        int i = 3;
        while (a[i] != 0) i--;
    }

    static void write(int j) {
        a[j] = a[j - 1] + 1; //! data-race
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread[] threads = {
            new Thread(LastZero::look), new Thread(() -> write(1)), new Thread(() -> write(2)), new Thread(() -> write(3))
        };
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }
}
