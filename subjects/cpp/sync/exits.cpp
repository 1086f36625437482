// pthread_exit runs the destructors of the frames it leaves.
//@ args: --entry main
//@ complete: yes
#include <cassert>
#include <pthread.h>
#include <thread>

static int left;

struct Leaves {
  int n;
  ~Leaves() { left = left * 10 + n; }
};

static void inner() {
  Leaves two{2};
  try {
    pthread_exit(nullptr);
  } catch (...) {
    left = 3;
    throw;
  }
}

static void works() {
  Leaves one{1};
  inner();
}

int main() {
  std::thread thread(works);
  thread.join();
  assert(left == 321 || left == 21 || left == 0);
  assert(left == 321);
}
