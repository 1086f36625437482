//@ args: --entry main
//@ complete: yes
//@ paths: 4
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ paths: 2
// Two threads count in an std::atomic, but read and write it in two steps.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> n{0};

static void count() {
#ifdef FIXED
  n++;
#else
  n = n + 1;
#endif
}

int main() {
  std::thread a(count), b(count);
  a.join();
  b.join();
  assert(n == 2); //! assertion unless FIXED
}
