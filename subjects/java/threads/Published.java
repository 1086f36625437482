// Double-checked locking without volatile: the second thread finds the object before it is complete, as far as the memory model says. Both races show on the original
// classes: that for the reference, and that for the field, where one thread has written and holds the lock while the other is about to read.
//@ method: main
//@ complete: yes
class Published {
    static Published instance;
    int value;

    Published() {
        value = 42;
    }

    static Published get() {
        if (instance == null) { //! data-race
            synchronized (Published.class) {
                if (instance == null) instance = new Published();
            }
        }
        return instance;
    }

    static void main() throws InterruptedException {
        Thread a = new Thread(Published::get);
        Thread b = new Thread(() -> {
            int value = get().value; //! data-race
        });
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
