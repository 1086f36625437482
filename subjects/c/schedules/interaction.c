//@ args: --entry main --schedules dpor
//@ paths: 8
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ paths: 8
//@ complete: yes
// Inputs and schedules that depend on each other: 8 of 12 interleavings differ, two of them abort.
#include <stdlib.h>
#include <xcute.h>
#include "run.h"

int x, y;
int a, b;

THREAD(t1) {
  int v = x;
  if (v == a + 1) y = b;
  return 0;
}

THREAD(t2) {
  x = 5; //! data-race
  int u = y; //! data-race
  if (u == 7) abort(); //! abort
  return 0;
}

int main(void) {
  xcute_input(a);
  xcute_input(b);
  RUN(t1, t2);
}
