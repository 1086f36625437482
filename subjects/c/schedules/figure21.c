//@ args: --entry main --schedules dpor
//@ paths: 2
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ paths: 2
//@ complete: yes
// Fig. 21: three threads, two of which race.
#include "run.h"

int x, y;

THREAD(t1) { x = 1; return 0; }
THREAD(t2) { y = 4; return 0; }
THREAD(t3) { x = 2; return 0; } //! data-race

int main(void) { RUN(t1, t2, t3); }
