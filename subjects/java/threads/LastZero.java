// The last element that is zero, while N others write: (N+3) * 2^(N-2) executions that differ.
//@ method: one
//@ paths: 2
//@ complete: yes
//@ method: two
//@ paths: 5
//@ complete: yes
//@ method: three
//@ paths: 12
//@ complete: yes
//@ method: four
//@ paths: 28
//@ complete: yes
//@ method: five
//@ paths: 64
//@ complete: yes
class LastZero {
    static void run(int n) throws InterruptedException {
        int[] a = new int[n + 1];
        Thread[] threads = new Thread[n + 1];
        threads[0] = new Thread(() -> {
            int i = n;
            while (a[i] != 0) i--;
        });
        for (int i = 1; i <= n; i++) {
            int j = i;
            threads[j] = new Thread(() -> a[j] = a[j - 1] + 1); //! data-race
        }
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static void one() throws InterruptedException {
        run(1);
    }

    static void two() throws InterruptedException {
        run(2);
    }

    static void three() throws InterruptedException {
        run(3);
    }

    static void four() throws InterruptedException {
        run(4);
    }

    static void five() throws InterruptedException {
        run(5);
    }
}
