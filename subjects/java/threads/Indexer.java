// The indexer: threads insert into a hash table by compare and set. They meet only where their hashes do.
//@ method: eight
//@ paths: 1
//@ complete: yes
//@ method: four
//@ paths: 3
//@ complete: yes
//@ method: three
//@ paths: 1
//@ complete: yes
import java.util.concurrent.atomic.AtomicInteger;

class Indexer {
    static void insert(AtomicInteger[] table, int number) {
        for (int m = 1; m <= 2; m++) {
            int w = 11 * m + number, h = 7 * w % table.length;
            while (!table[h].compareAndSet(0, w)) h = (h + 1) % table.length;
        }
    }

    static void index(int size, int threads) throws InterruptedException {
        AtomicInteger[] table = new AtomicInteger[size];
        for (int i = 0; i < size; i++) table[i] = new AtomicInteger();
        Thread[] all = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            int number = i;
            all[i] = new Thread(() -> insert(table, number));
        }
        for (Thread thread : all) thread.start();
        for (Thread thread : all) thread.join();
    }

    static void eight() throws InterruptedException {
        index(8, 2);
    }

    static void four() throws InterruptedException {
        index(4, 2);
    }

    static void three() throws InterruptedException {
        index(8, 3);
    }
}
