// std::promise: a thread that waits for the future goes on when the value is there; a wait with a time limit may be over before.
//@ args: --entry main
//@ complete: yes
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread thread([&] { promise.set_value(7); });
  future.wait_for(std::chrono::seconds(1));
  assert(future.get() == 7);
  thread.join();
}
