// Workers that share a pool of jobs, after the case study of Java PathFinder (Table VII of the paper), with the seeded bug: the count of jobs is looked at
// in one section and taken from in another.
//@ method: main
//@ paths: 48
//@ complete: yes
class ReplicatedWorkers {
    static int jobs = 2, done;
    static final Object lock = new Object();

    static void work() {
        while (true) {
            synchronized (lock) {
                if (jobs == 0) return;
            }
            synchronized (lock) {
                jobs--;
                assert jobs >= 0; //! assertion
                done++;
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread a = new Thread(ReplicatedWorkers::work), b = new Thread(ReplicatedWorkers::work);
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
