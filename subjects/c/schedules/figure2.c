//@ args: --entry main --schedules dpor
//@ paths: 4
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ paths: 4
//@ complete: yes
//@ args: --entry main --schedules dpor -- -DZ=1
//@ paths: 3
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DZ=1
//@ paths: 3
//@ complete: yes
// Fig. 2 of the paper: the error needs an input and an order, x=2 before x=3 before the comparison. The paper needs four runs.
#include <stdlib.h>
#include <xcute.h>
#include "run.h"

SHARED int x;
int z;

THREAD(t1) {
  x = 3;
  return 0;
}

THREAD(t2) {
  x = 2; //! data-race
  if (2 * z + 1 == x)
    abort(); //! abort
  return 0;
}

int main(void) {
#ifdef Z
  z = Z;
#else
  xcute_input(z);
#endif
  RUN(t1, t2);
}
