// Two stages of which one needs the other; an exception goes through.
//@ method: main
//@ complete: yes
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

class Futures {
    static volatile int first;

    public static void main(String[] arguments) {
        CompletableFuture<Integer> one = CompletableFuture.supplyAsync(() -> {
            first = 1;
            return 20;
        });
        CompletableFuture<Integer> sum = one.thenApply(x -> x + 1).thenCombine(CompletableFuture.completedFuture(2), (x, y) -> x * y);
        int early = first;
        assert sum.join() == 42;
        CompletableFuture<Integer> fails = one.thenApply(x -> x / (x - 20));
        try {
            fails.join();
            assert false;
        } catch (CompletionException e) {
            assert e.getCause() instanceof ArithmeticException;
        }
        assert early == 0; //! assertion
    }
}
