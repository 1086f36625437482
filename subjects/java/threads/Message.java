// A message that a volatile flag announces: the receiver sees it or does not, and there is no data race.
//@ method: main
//@ paths: 2
//@ complete: yes
class Message {
    static int data;
    static volatile boolean ready;

    static void send() {
        data = 42;
        ready = true;
    }

    static void receive() {
        if (ready) assert data == 42;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread a = new Thread(Message::send), b = new Thread(Message::receive);
        a.start();
        b.start();
        a.join();
        b.join();
    }
}
