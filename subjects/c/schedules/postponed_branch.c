//@ args: --entry main --schedules dpor
//@ paths: 3
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ paths: 3
//@ complete: yes
// The error takes two flips: the paper's third algorithm as it is printed misses it.
#include <stdlib.h>
#include "run.h"

int x, y;

THREAD(t1) { if (x == 1) y = 1; return 0; } //! data-race if sleep
THREAD(t2) {
  if (y == 1) //! data-race if dpor
    abort(); //! abort
  return 0;
}
THREAD(t3) { x = 1; return 0; } //! data-race

int main(void) { RUN(t1, t2, t3); }
