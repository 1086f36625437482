//@ args: --entry main --schedules dpor
//@ paths: 38
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ paths: 38
//@ complete: yes
// A loop that waits for a value which may come and go: in 14 of 38 executions it waits for ever.
#include <stdatomic.h>
#include "run.h"

_Atomic int flag;

THREAD(one) { flag = 1; return 0; }
THREAD(zero) { flag = 0; return 0; }
THREAD(two) { flag = 2; return 0; }
THREAD(waiter) { while (flag != 1) {} return 0; } //! livelock

int main(void) { RUN(one, zero, two, waiter); }
