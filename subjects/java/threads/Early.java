// A wait may end without a notification. That makes no difference where the thread could as well have come later: `looks`, `inner`, `locked`. It makes one where
// another thread can know that it was there before: `counts` says that it waits, and may go on before it is notified. No run has that.
//@ method: looks
//@ complete: yes
//@ method: inner
//@ complete: yes
//@ method: locked
//@ complete: yes
//@ method: polls
//@ complete: yes
//@ method: counts
//@ complete: no
//@ method: remembers
//@ complete: no
//@ method: nested
//@ complete: no
//@ method: takes
//@ complete: no
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

class Early {
    private boolean ready;
    private int waiting, seen;
    private Integer item;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    static void looks() {
        Early early = new Early();
        new Thread(early::set).start();
        early.await();
    }

    private synchronized void set() {
        ready = true;
        notifyAll();
    }

    private synchronized void await() {
        while (!ready) {
            try {
                wait();
            } catch (InterruptedException e) {
            }
        }
    }

    static void inner() throws InterruptedException {
        Early early = new Early();
        new Thread(early::set).start();
        synchronized (early) {
            early.untilReady();
        }
    }

    private void untilReady() throws InterruptedException {
        while (!isReady()) wait();
    }

    private boolean isReady() {
        return ready;
    }

    static void locked() throws InterruptedException {
        Early early = new Early();
        new Thread(early::setLocked).start();
        early.lock.lock();
        try {
            while (!early.ready) early.changed.await();
        } finally {
            early.lock.unlock();
        }
    }

    private void setLocked() {
        lock.lock();
        ready = true;
        changed.signal();
        lock.unlock();
    }

    static void polls() throws InterruptedException {
        Early early = new Early();
        new Thread(early::put).start();
        synchronized (early) {
            Integer item;
            while ((item = early.item) == null) early.wait();
            assert item == 1;
        }
    }

    private synchronized void put() {
        item = 1;
        notify();
    }

    static void counts() throws InterruptedException {
        Early early = new Early();
        new Thread(early::setIfWaiting).start();
        synchronized (early) {
            early.waiting++;
            while (!early.ready) early.wait(); //! lost-wakeup if counts
            early.seen = early.waiting;
        }
        assert early.seen != 0;
    }

    /** The one that waits can go on between the two blocks, if it wakes up by itself. */
    private void setIfWaiting() {
        synchronized (this) {
            if (waiting == 0) return;
            ready = true;
        }
        synchronized (this) {
            waiting = 2;
            notify();
        }
    }

    static void remembers() throws InterruptedException {
        Early early = new Early();
        new Thread(early::set).start();
        synchronized (early) {
            boolean before = early.ready;
            while (!early.ready) early.wait();
            early.seen = before ? 1 : 2;
        }
    }

    static void nested() throws InterruptedException {
        Early early = new Early();
        new Thread(early::set).start();
        synchronized (early) {
            early.waiting = 1;
            synchronized (early) {
                while (!early.ready) early.wait();
            }
        }
    }

    static void takes() throws InterruptedException {
        Early early = new Early();
        new Thread(early::set).start();
        synchronized (early) {
            while (!early.tries()) early.wait();
        }
    }

    private boolean tries() {
        waiting++;
        return ready;
    }
}
