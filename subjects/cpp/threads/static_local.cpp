//@ args: --entry main
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ complete: yes
// A static local is initialised once, and the thread that comes second waits until that is done.
#include <cassert>
#include <thread>

static int made;

struct Object {
  int value;
  Object() {
    made++;
    value = 7;
  }
};

static Object &get() {
  static Object object;
  return object;
}

int main() {
  int seen = 0;
  std::thread t([&] { seen = get().value; });
  int own = get().value;
  t.join();
  assert(seen == 7 && own == 7 && made == 1);
}
