// One thread copies an array while another writes to it: element by element, so the copy may have a later write without an earlier one.
// The original cannot be held in the middle of a copy; but right before it.
//@ method: torn
//@ paths: 4
//@ unconfirmed: 1
class Copies {
    static void torn() throws InterruptedException {
        int[] from = new int[2], to = new int[2];
        // In one line, so that it does not matter which access comes first.
        Thread writer = new Thread(() -> { from[0] = 1; from[1] = 1; }); writer.start(); System.arraycopy(from, 0, to, 0, 2); //! data-race
        if (to[0] == 0 && to[1] == 1) throw new IllegalStateException(); //! uncaught-exception
        writer.join();
    }
}
