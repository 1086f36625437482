// Elements that come when their time has come.
//@ method: main
//@ complete: yes
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

class Delays {
    static final class Due implements Delayed {
        final int rank;

        Due(int rank) {
            this.rank = rank;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return Integer.compare(rank, ((Due) other).rank);
        }
    }

    static void main() throws InterruptedException {
        DelayQueue<Due> queue = new DelayQueue<>();
        Thread adds = new Thread(() -> {
            queue.add(new Due(2));
            queue.add(new Due(1));
        });
        adds.start();
        int first = queue.take().rank;
        adds.join();
        assert first == 1; //! assertion
    }
}
