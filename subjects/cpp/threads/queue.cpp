//@ args: --entry main
//@ complete: yes
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// std::thread, std::mutex and std::condition_variable: a queue whose end is announced without the lock, so that a consumer may sleep through it.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable changed;
static int left;
static bool closed;

static void consume() {
  std::unique_lock<std::mutex> lock(m);
  for (;;) {
    while (left == 0 && !closed) //! data-race unless FIXED
      changed.wait(lock); //! lost-wakeup unless FIXED
    if (left == 0) return;
    left--;
  }
}

static void close() {
#ifdef FIXED
  std::lock_guard<std::mutex> lock(m);
#endif
  closed = true;
  changed.notify_all();
}

int main() {
  std::thread consumer(consume);
  {
    std::lock_guard<std::mutex> lock(m);
    left++;
  }
  changed.notify_one();
  close();
  consumer.join();
}
