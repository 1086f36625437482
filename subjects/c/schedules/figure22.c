//@ args: --entry main --schedules dpor
//@ paths: 1
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ paths: 1
//@ complete: yes
// Fig. 22: readers do not race, so there is one interleaving to look at.
#include <stdlib.h>
#include "run.h"

int x;

THREAD(t1) { int v = x; (void)v; return 0; }
THREAD(t2) { int v = x; (void)v; return 0; }
THREAD(t3) { if (x > 0) abort(); return 0; }

int main(void) { RUN(t1, t2, t3); }
