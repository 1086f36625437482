//@ args: --entry main
//@ complete: yes
// An exception that leaves a thread; others are caught, and their guards release what they have.
#include <mutex>
#include <stdexcept>
#include <thread>
#include <xcute.h>

static std::mutex m;
static int kind;

static void work() {
  try {
    std::lock_guard<std::mutex> lock(m);
    if (kind == 1) throw std::runtime_error("caught");
    if (kind == 2) throw 7; //! uncaught-exception
  } catch (const std::runtime_error &) {
    std::lock_guard<std::mutex> lock(m);
  }
}

int main() {
  xcute_input(kind);
  std::thread a(work);
  a.join();
}
