// Peterson's mutual exclusion: the loop that waits looks at two fields. Broken, the turn is given away before the wish is said.
//@ method: fixed
//@ paths: 12
//@ complete: yes
//@ method: broken
//@ paths: 18
//@ complete: yes
class Peterson {
    static volatile boolean first, second;
    static volatile int turn;
    static int inside;

    static void run(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) threads[i] = new Thread(all[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        assert inside == 2; //! assertion if broken
    }

    static void fixed() throws InterruptedException {
        run(
                () -> {
                    first = true;
                    turn = 2;
                    while (second && turn == 2) {}
                    inside++;
                    first = false;
                },
                () -> {
                    second = true;
                    turn = 1;
                    while (first && turn == 1) Thread.onSpinWait();
                    inside++;
                    second = false;
                });
    }

    static void broken() throws InterruptedException {
        run(
                () -> {
                    turn = 2;
                    first = true;
                    while (second && turn == 2) {}
                    inside++;
                    first = false;
                },
                () -> {
                    turn = 1;
                    second = true;
                    while (first && turn == 1) Thread.onSpinWait();
                    inside++; //! data-race if broken
                    second = false;
                });
    }
}
