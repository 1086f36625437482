// Threads of C++: std::thread, std::mutex, std::condition_variable, std::shared_mutex.
//@ args: --entry main
//@ complete: yes
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable ready;
static std::shared_mutex table;
static bool there;
static int entries;

static void works(int n) {
  {
    std::unique_lock lock(table);
    entries += n;
  }
  std::lock_guard lock(mutex);
  there = true;
  ready.notify_one();
}

int main() {
  std::thread thread(works, 2);
  {
    std::unique_lock lock(mutex);
    ready.wait(lock, [] { return there; });
  }
  {
    std::shared_lock lock(table);
    assert(entries == 2);
  }
  thread.join();
  assert(!thread.joinable());
}
