// Tasks that fork and join, the common pool, and futures without an executor of their own.
//@ method: sums
//@ paths: 18
//@ complete: yes
//@ method: submits
//@ paths: 168
//@ unconfirmed: some
//@ method: supplies
//@ paths: 14
//@ complete: yes
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;

class Forks {
    static int seen;

    static class Sum extends RecursiveTask<Integer> {
        final int[] all;
        final int from, to;

        Sum(int[] all, int from, int to) {
            this.all = all;
            this.from = from;
            this.to = to;
        }

        @Override
        protected Integer compute() {
            if (to - from == 1) return all[from];
            int middle = (from + to) / 2;
            Sum left = new Sum(all, from, middle), right = new Sum(all, middle, to);
            left.fork();
            return right.compute() + left.join();
        }
    }

    static void sums(int a, int b) {
        int sum = ForkJoinPool.commonPool().invoke(new Sum(new int[] {a, b}, 0, 2));
        assert sum == a + b;
        if (sum == 77) throw new IllegalStateException(); //! uncaught-exception if sums
    }

    static void submits() throws InterruptedException, ExecutionException {
        ForkJoinPool pool = new ForkJoinPool(2);
        // In one line, so that it does not matter which of them comes first.
        var one = pool.submit(() -> seen++); var two = pool.submit(() -> seen++); //! data-race if submits
        one.get();
        two.get();
        pool.shutdown();
        assert seen == 2; //! assertion if submits
    }

    static void supplies(int value) {
        CompletableFuture<Integer> one = CompletableFuture.supplyAsync(() -> value);
        CompletableFuture<Integer> two = CompletableFuture.supplyAsync(() -> 2);
        int both = one.thenCombine(two, Integer::sum).join();
        assert both == value + 2;
        if (both == 9) throw new IllegalStateException(); //! uncaught-exception if supplies
    }
}
