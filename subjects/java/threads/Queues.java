// A producer and a consumer with a queue that has room for one.
//@ method: main
//@ complete: yes
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

class Queues {
    static final BlockingQueue<Integer> small = new ArrayBlockingQueue<>(1), large = new LinkedBlockingQueue<>();
    static int data;

    public static void main(String[] arguments) throws InterruptedException {
        Thread producer = new Thread(() -> {
            try {
                small.put(1);
                data = 7;
                large.put(2);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        producer.start();
        int first = small.take();
        assert large.size() == 0; //! assertion
        int second = large.take();
        assert first + second == 3 && data == 7;
        producer.join();
        small.take(); //! deadlock
    }
}
