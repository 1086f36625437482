//@ args: --entry main
//@ paths: 3
//@ complete: yes
//@ args: --entry main -- -DFIXED
//@ paths: 2
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ paths: 2
//@ complete: yes
//@ args: --entry main --preemptions 2 -- -DSCOPED
//@ complete: no
//@ limit: preemptions
// Two guards in opposite orders; corrected, both threads take them in the same order. std::scoped_lock gives way instead: two threads may do so for each
// other for ever, so there are endlessly many schedules, and the search needs a bound.
#include <mutex>
#include <thread>
#include <utility>

static std::mutex a, b;
static int moved;

static void move(std::mutex *from, std::mutex *to) {
#ifdef SCOPED
  std::scoped_lock both(*from, *to);
#else
#ifdef FIXED
  if (to < from) std::swap(from, to);
#endif
  std::lock_guard<std::mutex> first(*from);
  std::lock_guard<std::mutex> second(*to); //! deadlock unless -D
#endif
  moved++;
}

int main() {
  std::thread there([] { move(&a, &b); }), back([] { move(&b, &a); });
  there.join();
  back.join();
}
