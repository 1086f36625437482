// Fig. 22: readers do not race, so there is one interleaving to look at.
//@ method: main
//@ paths: 1
//@ complete: yes
class Figure22 {
    static int x;

    static void run(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) threads[i] = new Thread(all[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static void read() {
        if (x > 0) throw new IllegalStateException();
    }

    public static void main(String[] arguments) throws InterruptedException {
        run(Figure22::read, Figure22::read, Figure22::read);
    }
}
