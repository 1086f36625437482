//@ args: --entry main --schedules dpor
//@ paths: 3
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ paths: 3
//@ complete: yes
// The store buffer: both reading 0 is not seen, for xcute knows sequentially consistent memory only.
#include "run.h"

int a, b;
int seen_a = 1, seen_b = 1;

THREAD(t1) {
  a = 1;
  seen_b = b;
  return 0;
}

THREAD(t2) {
  b = 1; //! data-race
  seen_a = a; //! data-race
  return 0;
}

int main(void) {
  RUN(t1, t2);
  assert(seen_a || seen_b);
}
