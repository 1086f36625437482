//@ args: --entry main --schedules dpor
//@ paths: 4
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ paths: 4
//@ complete: yes
// A barrier orders what is before it and what is after it, not what is before it on both sides.
#include "run.h"

pthread_barrier_t b;
int x;

THREAD(t1) {
  x = 1;
  pthread_barrier_wait(&b);
  x = 3;
  return 0;
}

THREAD(t2) {
  x = 2; //! data-race
  pthread_barrier_wait(&b);
  return 0;
}

int main(void) {
  pthread_barrier_init(&b, 0, 2);
  RUN(t1, t2);
}
