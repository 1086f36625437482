// std::async and std::future: a result, and an exception that goes from one thread to another.
//@ args: --entry main
//@ complete: yes
#include <cassert>
#include <future>
#include <stdexcept>

static int works(int n) {
  if (n < 0) throw std::runtime_error("negative");
  return n + 1;
}

int main() {
  std::future<int> good = std::async(std::launch::async, works, 1);
  assert(good.get() == 2);
  std::future<int> bad = std::async(std::launch::async, works, -1);
  try {
    bad.get();
    assert(false);
  } catch (const std::runtime_error &) {
  }
}
