// thread_local objects: made at their first use in a thread, destroyed when it ends. Exceptions of threads do not meet.
//@ args: --entry main
//@ complete: yes
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int made, destroyed;

struct Counted {
  int value;
  Counted() : value(1) {
    std::lock_guard lock(mutex);
    made++;
  }
  ~Counted() {
    std::lock_guard lock(mutex);
    destroyed++;
  }
};

static thread_local Counted counted;

static void works(int n) {
  try {
    throw n;
  } catch (int caught) {
    counted.value += caught;
    try {
      throw 'a';
    } catch (char) {
    }
    assert(caught == n && counted.value == n + 1);
  }
}

int main() {
  std::thread a(works, 1), b(works, 2);
  a.join();
  b.join();
  assert(made == 2 && destroyed == 2);
}
