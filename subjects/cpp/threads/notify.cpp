//@ args: --entry main -- -std=c++20 -DFIXED
//@ complete: yes
//@ paths: 6
// std::atomic::wait goes on when it is notified, and the value has changed.
#include <atomic>
#include <thread>

static std::atomic<int> a;

int main() {
  std::thread t([] { a.wait(0); });
  a.store(1);
#ifdef FIXED
  a.notify_one();
#endif
  t.join();
}
