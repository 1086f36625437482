// CUTE's section 8: three interleavings are enough.
//@ method: main
//@ paths: 3
//@ complete: yes
class TwoAndTwo {
    static int x, y;

    static void run(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) threads[i] = new Thread(all[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static void one() {
        x = 1;
        x = 2;
    }

    static void two() {
        y = 3;
        x = 4; //! data-race
    }

    public static void main(String[] arguments) throws InterruptedException {
        run(TwoAndTwo::one, TwoAndTwo::two);
    }
}
