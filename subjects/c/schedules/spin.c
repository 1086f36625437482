//@ args: --entry main --schedules dpor
//@ paths: 2
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ paths: 2
//@ complete: yes
// A loop that only waits does not turn: it looks, and looks again after somebody wrote. Two executions, not endlessly many.
#include <stdatomic.h>
#include "run.h"

_Atomic int flag;

THREAD(waiter) { while (flag != 1) {} return 0; }
THREAD(setter) { flag = 1; return 0; }

int main(void) { RUN(waiter, setter); }
