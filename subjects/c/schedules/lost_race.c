//@ args: --entry main --schedules dpor
//@ paths: 3
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ paths: 3
//@ complete: yes
// A race that another order makes impossible.
#include "run.h"

int x, y;

THREAD(t1) { x = 1; return 0; }
THREAD(t2) { if (y == 0) x = 2; return 0; } //! data-race
THREAD(t3) { y = 1; return 0; } //! data-race

int main(void) { RUN(t1, t2, t3); }
