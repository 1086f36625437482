// A message and its flag, which is looked at once, or waited for. One that does not wait races for the message.
//@ method: asks
//@ paths: 2
//@ complete: yes
//@ method: ordered
//@ paths: 3
//@ complete: yes
//@ method: looks
//@ paths: 3
//@ complete: yes
//@ method: plain
//@ paths: 3
//@ complete: yes
//@ method: waits
//@ paths: 2
//@ complete: yes
class Message {
    static int data, plainFlag;
    static volatile int flag, ordered;

    static void run(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) threads[i] = new Thread(all[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static void send() {
        data = 1;
        flag = 1;
    }

    static void asks() throws InterruptedException {
        run(Message::send, () -> {
            if (flag == 1) assert data == 1;
        });
    }

    static void ordered() throws InterruptedException {
        run(
                () -> {
                    ordered = 1;
                    flag = 1;
                },
                () -> {
                    int f = flag, d = ordered;
                });
    }

    static void looks() throws InterruptedException {
        run(Message::send, () -> {
            int f = flag;
            int d = data; //! data-race if looks
        });
    }

    static void plain() throws InterruptedException {
        run(
                () -> {
                    data = 1;
                    plainFlag = 1;
                },
                () -> {
                    int f = plainFlag; //! data-race if plain
                    int d = data; //! data-race if plain
                });
    }

    static void waits() throws InterruptedException {
        run(Message::send, () -> {
            while (flag == 0) {}
            assert data == 1;
        });
    }
}
