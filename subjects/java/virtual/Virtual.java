// Virtual threads are threads like any other: which of them goes on is a choice, and what one of them throws is a failure.
//@ method: race
//@ paths: 2
//@ complete: yes
//@ method: lost
//@ paths: 4
//@ complete: yes
//@ method: named
//@ complete: no
//@ method: locks
//@ complete: yes
//@ method: thrown
//@ complete: yes
//@ method: executor
//@ unconfirmed: some
//@ method: factory
//@ complete: no
//@ method: closed
//@ complete: yes
//@ method: joined
//@ complete: yes
//@ method: is
//@ complete: yes
//@ method: refuses
//@ complete: yes
//@ method: input
//@ complete: yes
//@ method: parked
//@ complete: yes
//@ method: daemon
//@ complete: yes
//@ method: cast
//@ complete: yes
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

class Virtual {
    static int count;
    static volatile int seen;
    static final Object first = new Object(), second = new Object();

    static void race() throws InterruptedException {
        Thread thread = Thread.startVirtualThread(() -> count = 1); //! data-race if race
        int was = count;
        thread.join();
    }

    static void add() {
        seen = seen + 1;
    }

    static void lost() throws InterruptedException {
        Thread a = Thread.ofVirtual().start(Virtual::add), b = Thread.ofVirtual().start(Virtual::add);
        a.join();
        b.join();
        assert seen == 2; //! assertion if lost
    }

    // Names and numbers of a factory's threads. Names are not followed, whoever gives them.
    static void named() throws InterruptedException {
        Thread.Builder.OfVirtual builder = Thread.ofVirtual().name("worker-", 1);
        Thread a = builder.unstarted(Virtual::add), b = builder.unstarted(Virtual::add);
        assert a.getName().equals("worker-1") && b.getName().equals("worker-2");
        assert Thread.ofVirtual().name("one").unstarted(Virtual::add).getName().equals("one");
        assert Thread.ofVirtual().unstarted(Virtual::add).getName().isEmpty();
        assert Thread.ofPlatform().name("plain").daemon().priority(7).unstarted(Virtual::add).isDaemon();
        a.start();
        a.join();
        assert seen == 1;
    }

    static void both(Object one, Object other) {
        synchronized (one) {
            synchronized (other) { //! deadlock if locks
                seen = 1;
            }
        }
    }

    static void locks() throws InterruptedException {
        Thread a = Thread.startVirtualThread(() -> both(first, second)), b = Thread.startVirtualThread(() -> both(second, first));
        a.join();
        b.join();
    }

    static void thrown() throws InterruptedException {
        Thread thread = Thread.ofVirtual().start(() -> {
            throw new IllegalStateException("thrown"); //! uncaught-exception if thrown
        });
        thread.join();
    }

    static void executor() throws Exception {
        try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Integer> one = all.submit(() -> {
                add();
                return 1;
            });
            all.submit(Virtual::add);
            assert one.get() == 1;
        }
        assert seen == 2; //! assertion if executor
    }

    // Closing waits for what was handed in.
    static void closed() throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            pool.submit(() -> seen = 7);
        }
        assert seen == 7;
    }

    static void joined() throws InterruptedException {
        Thread thread = Thread.startVirtualThread(() -> seen = 1);
        if (thread.join(Duration.ofMillis(1))) assert seen == 1;
        else if (seen == 0) throw new IllegalStateException("too early"); //! uncaught-exception if joined
        Thread.sleep(Duration.ofMillis(1));
    }

    static void is() throws InterruptedException {
        boolean[] virtual = new boolean[2];
        Thread a = Thread.ofVirtual().start(() -> virtual[0] = Thread.currentThread().isVirtual());
        Thread b = Thread.ofPlatform().start(() -> virtual[1] = Thread.currentThread().isVirtual());
        a.join();
        b.join();
        assert virtual[0] && !virtual[1] && a.isDaemon() && !Thread.currentThread().isVirtual();
    }

    static void refuses() throws InterruptedException {
        Thread thread = Thread.ofVirtual().unstarted(Virtual::add);
        thread.setPriority(9);
        assert thread.getPriority() == Thread.NORM_PRIORITY;
        try {
            thread.setDaemon(false);
            assert false;
        } catch (IllegalArgumentException e) {
            seen = 5;
        }
        try {
            thread.join(Duration.ofMillis(1));
            assert false;
        } catch (IllegalThreadStateException e) {
            seen = 6;
        }
        Thread.ofVirtual().name(null); //! null-access if refuses
    }

    static void factory() throws InterruptedException {
        ThreadFactory factory = Thread.ofVirtual().name("f", 0).factory();
        Thread a = factory.newThread(() -> count++), b = factory.newThread(() -> count++); //! data-race if factory
        a.start();
        b.start();
        a.join();
        b.join();
        assert a.getName().equals("f0") && b.getName().equals("f1");
    }

    static void input(int first) throws InterruptedException {
        seen = first;
        Thread a = Thread.startVirtualThread(Virtual::add), b = Thread.startVirtualThread(Virtual::add);
        a.join();
        b.join();
        if (first == 41 && seen == 42) throw new IllegalStateException("lost"); //! uncaught-exception if input
    }

    static void parked() throws InterruptedException {
        Thread thread = Thread.ofVirtual().start(() -> {
            while (seen == 0) LockSupport.park();
        });
        seen = 1;
        LockSupport.unpark(thread);
        thread.join();
    }

    // Nobody waits for it.
    static void daemon() {
        Thread.startVirtualThread(() -> {
            synchronized (first) {
                seen = 1;
            }
        });
    }

    static void cast() throws InterruptedException {
        Object builder = Thread.ofVirtual();
        assert builder instanceof Thread.Builder.OfVirtual && !(builder instanceof Thread.Builder.OfPlatform);
        Thread thread = ((Thread.Builder) builder).start(Virtual::add);
        thread.join();
        Thread.Builder other = (Thread.Builder.OfPlatform) builder; //! uncaught-exception if cast
    }
}
