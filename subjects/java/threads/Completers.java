// The last of several tasks completes the one that they belong to; an exception completes it, too.
//@ method: sum
//@ complete: yes
//@ method: fails
//@ complete: no
import java.util.concurrent.CountedCompleter;

class Completers {
    static final class Sum extends CountedCompleter<Void> {
        final int[] all;
        final int from, to;
        int sum;
        Sum left, right;

        Sum(CountedCompleter<?> whole, int[] all, int from, int to) {
            super(whole);
            this.all = all;
            this.from = from;
            this.to = to;
        }

        @Override
        public void compute() {
            if (to - from > 1) {
                int middle = (from + to) / 2;
                setPendingCount(2);
                left = new Sum(this, all, from, middle);
                right = new Sum(this, all, middle, to);
                left.fork();
                right.fork();
            } else {
                sum = 100 / all[from]; //! division-by-zero if fails
            }
            tryComplete();
        }

        @Override
        public void onCompletion(CountedCompleter<?> last) {
            if (left != null) sum = left.sum + right.sum;
        }
    }

    static void sum(int x) {
        if (x == 0) return;
        Sum all = new Sum(null, new int[] {x, 5}, 0, 2);
        all.invoke();
        assert all.sum != 70; //! assertion if sum
    }

    static void fails(int x) {
        new Sum(null, new int[] {x, 5}, 0, 2).invoke();
    }
}
