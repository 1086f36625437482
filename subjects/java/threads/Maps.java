// A concurrent map: what is one step, and what is not.
//@ method: counted
//@ complete: yes
//@ method: merged
//@ complete: yes
//@ method: once
//@ complete: yes
//@ method: sized
//@ complete: no
//@ unconfirmed: some
//@ method: walked
//@ complete: no
import java.util.concurrent.ConcurrentHashMap;

class Maps {
    static void both(Runnable body) throws InterruptedException {
        Thread other = new Thread(body);
        other.start();
        body.run();
        other.join();
    }

    static void counted() throws InterruptedException {
        ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
        map.put("a", 0);
        both(() -> map.put("a", map.get("a") + 1));
        assert map.get("a") == 2; //! assertion if counted
    }

    static void merged() throws InterruptedException {
        ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
        both(() -> map.merge("a", 1, Integer::sum));
        assert map.get("a") == 2;
    }

    static int made;

    static void once() throws InterruptedException {
        ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
        made = 0;
        both(() -> map.computeIfAbsent("a", key -> ++made));
        assert made == 1 && map.size() == 1;
    }

    static void sized() throws InterruptedException {
        ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
        Thread other = new Thread(() -> map.put("a", 1));
        other.start();
        if (map.get("a") != null) assert map.size() == 1; //! assertion if sized
        other.join();
    }

    static void walked() throws InterruptedException {
        ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
        map.put("a", 1);
        Thread other = new Thread(() -> map.put("b", 1));
        other.start();
        int sum = 0;
        for (int value : map.values()) sum += value;
        assert sum == 1 || sum == 2;
        other.join();
    }
}
