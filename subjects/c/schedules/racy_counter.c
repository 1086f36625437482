//@ args: --entry main --schedules dpor -- -DN=2
//@ paths: 4
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DN=2
//@ paths: 4
//@ complete: yes
//@ args: --entry main --schedules dpor -- -DN=3
//@ paths: 36
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DN=3
//@ paths: 36
//@ complete: yes
// The counter without a lock.
#include "run.h"

SHARED int x;

THREAD(count) {
  int old = x; //! data-race
  x = old + 1;
  return 0;
}

int main(void) {
  run_same(count, N);
  assert(x == N); //! assertion
}
