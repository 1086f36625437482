// Daemons may wait for ever: nobody does for them.
//@ method: main
//@ complete: no
class Daemon {
    static final Object lock = new Object();
    static int served;

    static void serve() {
        synchronized (lock) {
            try {
                while (true) {
                    lock.wait();
                    served++;
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    public static void main(String[] arguments) {
        Thread server = new Thread(Daemon::serve);
        server.setDaemon(true);
        server.start();
        synchronized (lock) {
            lock.notify();
        }
    }
}
