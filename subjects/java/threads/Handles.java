// Handles of fields and elements, and updaters: what is atomic loses nothing; two steps do.
//@ method: counters
//@ paths: 16
//@ complete: yes
//@ method: steps
//@ paths: 4
//@ complete: yes
//@ method: elements
//@ complete: yes
//@ method: publishes
//@ paths: 2
//@ complete: no
//@ method: races
//@ paths: 2
//@ complete: yes
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

class Handles {
    private int count;
    private long total;
    private volatile int updated;
    private volatile String name;
    private int data;
    private boolean ready;

    private static final VarHandle COUNT, TOTAL, READY, INTS;
    private static final AtomicIntegerFieldUpdater<Handles> UPDATED = AtomicIntegerFieldUpdater.newUpdater(Handles.class, "updated");
    private static final AtomicReferenceFieldUpdater<Handles, String> NAME =
            AtomicReferenceFieldUpdater.newUpdater(Handles.class, String.class, "name");

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            COUNT = lookup.findVarHandle(Handles.class, "count", int.class);
            TOTAL = lookup.findVarHandle(Handles.class, "total", long.class);
            READY = lookup.findVarHandle(Handles.class, "ready", boolean.class);
            INTS = MethodHandles.arrayElementVarHandle(int[].class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private void add() {
        COUNT.getAndAdd(this, 1);
        TOTAL.getAndAdd(this, 2);
        UPDATED.incrementAndGet(this);
    }

    static void both(Runnable run) throws InterruptedException {
        Thread a = new Thread(run), b = new Thread(run);
        a.start();
        b.start();
        a.join();
        b.join();
    }

    static void counters(int start) throws InterruptedException {
        Handles it = new Handles();
        COUNT.set(it, start);
        both(it::add);
        assert it.count == start + 2;
        assert (long) TOTAL.getVolatile(it) == 4;
        assert it.updated == 2;
        if ((int) COUNT.get(it) == 44) throw new IllegalStateException(); //! uncaught-exception if counters
    }

    static void steps() throws InterruptedException {
        Handles it = new Handles();
        both(() -> COUNT.setVolatile(it, (int) COUNT.getVolatile(it) + 1));
        assert it.count == 2; //! assertion if steps
    }

    static void elements() throws InterruptedException {
        int[] all = new int[2];
        AtomicIntegerArray others = new AtomicIntegerArray(2);
        both(() -> {
            while (true) {
                int old = (int) INTS.getVolatile(all, 1);
                if (INTS.compareAndSet(all, 1, old, old + 1)) break;
            }
            others.addAndGet(1, 3);
        });
        assert all[1] == 2 && others.get(1) == 6;
    }

    static void publishes() throws InterruptedException {
        Handles it = new Handles();
        Thread a = new Thread(() -> {
            it.data = 7;
            READY.setRelease(it, true);
        });
        a.start();
        if ((boolean) READY.getAcquire(it)) assert it.data == 7;
        a.join();
        assert NAME.compareAndSet(it, null, "done") && it.name.equals("done");
    }

    static void races() throws InterruptedException {
        Handles it = new Handles();
        Thread a = new Thread(() -> COUNT.set(it, 1)); //! data-race if races
        a.start();
        int seen = (int) COUNT.get(it);
        a.join();
    }
}
