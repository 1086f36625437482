// A buffer with one slot, two items: a thread that finds it full or empty waits.
//@ method: main
//@ paths: 8
//@ complete: yes
class Buffer {
    int count;

    synchronized void put() throws InterruptedException {
        while (count == 1) wait();
        count++;
        notify();
    }

    synchronized void get() throws InterruptedException {
        while (count == 0) wait();
        count--;
        notify();
    }

    public static void main(String[] arguments) throws InterruptedException {
        Buffer buffer = new Buffer();
        Thread producer = new Thread(() -> {
            try {
                buffer.put();
                buffer.put();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        Thread consumer = new Thread(() -> {
            try {
                buffer.get();
                buffer.get();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        producer.start();
        consumer.start();
        producer.join();
        consumer.join();
    }
}
