// Fig. 21: three threads, two of which race.
//@ method: main
//@ paths: 2
//@ complete: yes
class Figure21 {
    static int x, y;

    static void run(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) threads[i] = new Thread(all[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    public static void main(String[] arguments) throws InterruptedException {
        run(
                () -> x = 1,
                () -> y = 4,
                () -> x = 2); //! data-race
    }
}
