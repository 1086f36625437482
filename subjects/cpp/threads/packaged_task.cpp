//@ args: --entry main
// The library counts references to the exception with atomics that are not instrumented: there is no data race.
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>

int main() {
  std::packaged_task<int(int)> task([](int x) -> int {
    if (x > 0) throw std::runtime_error("no");
    return x;
  });
  auto result = task.get_future();
  std::thread t(std::move(task), 1);
  try {
    result.get();
    assert(false);
  } catch (const std::runtime_error &e) {
    assert(e.what()[0] == 'n');
  }
  t.join();
}
