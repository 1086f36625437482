// Stages that hand numbers on, after the case study of Java PathFinder (Table VII of the paper): one is asked to stop before it has seen the last number.
//@ method: main
//@ paths: 56
//@ complete: yes
class Pipeline {
    /** A place between two stages. */
    static class Connector {
        private int item;
        private boolean full;

        synchronized void add(int next) throws InterruptedException {
            while (full) wait();
            item = next;
            full = true;
            notifyAll();
        }

        synchronized int take() throws InterruptedException {
            while (!full) wait(); //! lost-wakeup
            full = false;
            notifyAll();
            return item;
        }
    }

    static final Connector[] between = {new Connector(), new Connector()};
    static int done;
    static boolean stopped;

    static void stage() {
        try {
            for (int item = between[0].take(); item != 0; item = between[0].take()) between[1].add(item + 1);
            stopped = true;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static void listener() {
        try {
            while (!stopped) done = done + between[1].take(); //! data-race
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread a = new Thread(Pipeline::stage), b = new Thread(Pipeline::listener);
        a.start();
        b.start();
        between[0].add(1);
        between[0].add(0);
        a.join();
        assert done == 2; //! assertion
    }
}
