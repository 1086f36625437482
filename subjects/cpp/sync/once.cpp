// std::call_once: a call that throws gives the next one a try.
//@ args: --entry main
//@ complete: yes
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag flag;
static int calls, made;

static void makes(bool throws) {
  try {
    std::call_once(flag, [&] {
      calls++;
      if (throws) throw 1;
      made = 7;
    });
    assert(made == 7);
  } catch (int) {
    assert(throws);
  }
}

int main() {
  std::thread thread(makes, true);
  makes(false);
  thread.join();
  assert(made == 7 && (calls == 1 || calls == 2));
}
