//@ args: --entry main --schedules dpor
//@ paths: 3
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ paths: 3
//@ complete: yes
// The error is behind two flips: the paper's third algorithm as it is printed misses it.
#include <stdlib.h>
#include "run.h"

SHARED int x, y;

THREAD(t1) { if (x == 1) y = 1; return 0; }
THREAD(t2) { if (y == 1) abort(); return 0; } //! abort
THREAD(t3) { x = 1; return 0; }

int main(void) { RUN(t1, t2, t3); }
