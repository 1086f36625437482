//@ args: --entry main --schedules dpor
//@ paths: 1
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ paths: 1
//@ complete: yes
// Reads alone: one execution.
#include "run.h"

int x;

THREAD(twice) {
  int a = x, b = x;
  (void)a, (void)b;
  return 0;
}

int main(void) { run_same(twice, 2); }
