// N readers and a writer: each reader is before or after it, 2^N ways. The writer may as well come first.
//@ method: two
//@ paths: 4
//@ complete: yes
//@ method: three
//@ paths: 8
//@ complete: yes
//@ method: four
//@ paths: 16
//@ complete: yes
//@ method: first
//@ paths: 4
//@ complete: yes
//@ method: none
//@ paths: 1
//@ complete: yes
class ReadersWriter {
    static int x;

    static void run(Runnable... all) throws InterruptedException {
        Thread[] threads = new Thread[all.length];
        for (int i = 0; i < all.length; i++) threads[i] = new Thread(all[i]);
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }

    static void read() {
        int v = x; //! data-race if first
    }

    static void twice() {
        int v = x, w = x;
    }

    static void write() {
        x = 1; //! data-race if two|three|four
    }

    static void two() throws InterruptedException {
        run(ReadersWriter::read, ReadersWriter::read, ReadersWriter::write);
    }

    static void three() throws InterruptedException {
        run(ReadersWriter::read, ReadersWriter::read, ReadersWriter::read, ReadersWriter::write);
    }

    static void four() throws InterruptedException {
        run(ReadersWriter::read, ReadersWriter::read, ReadersWriter::read, ReadersWriter::read, ReadersWriter::write);
    }

    static void first() throws InterruptedException {
        run(ReadersWriter::write, ReadersWriter::read, ReadersWriter::read);
    }

    static void none() throws InterruptedException {
        run(ReadersWriter::twice, ReadersWriter::twice);
    }
}
