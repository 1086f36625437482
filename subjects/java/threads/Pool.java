// Two tasks of a pool count; without a lock a count is lost.
//@ method: main
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

class Pool {
    static int count;

    static int add() {
        count = count + 1; //! data-race
        return count;
    }

    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Future<Integer> a = pool.submit(Pool::add), b = pool.submit(Pool::add);
        pool.shutdown();
        int sum = a.get() + b.get();
        assert sum == 3; //! assertion
    }
}
