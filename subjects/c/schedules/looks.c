//@ args: --entry main --schedules dpor -- -DK=2
//@ paths: 3
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DK=2
//@ paths: 3
//@ complete: yes
//@ args: --entry main --schedules dpor -- -DK=3
//@ paths: 4
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DK=3
//@ paths: 4
//@ complete: yes
// At most K looks at a flag: K + 1 executions.
#include <sched.h>
#include "run.h"

int flag;

THREAD(waiter) {
  for (int i = 0; i < K && flag != 1; i++) sched_yield();
  return 0;
}

THREAD(setter) { flag = 1; return 0; } //! data-race

int main(void) { RUN(waiter, setter); }
