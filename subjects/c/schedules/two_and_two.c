//@ args: --entry main --schedules dpor
//@ paths: 3
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ paths: 3
//@ complete: yes
// CUTE's section 8: three interleavings are enough. The accesses of one thread to y are not steps, since no other thread touches y.
#include "run.h"

int x, y;

THREAD(t1) {
  x = 1;
  x = 2;
  return 0;
}

THREAD(t2) {
  y = 3;
  x = 4; //! data-race
  return 0;
}

int main(void) { RUN(t1, t2); }
