//@ args: --entry main --schedules dpor
//@ paths: 8
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ paths: 8
//@ complete: yes
// A thread that forks another one between two writes.
#include "run.h"

int x;

THREAD(child) { x = 2; return 0; } //! data-race

THREAD(parent) {
  pthread_t t;
  x = 1;
  pthread_create(&t, 0, child, 0);
  pthread_detach(t);
  x = 3;
  return 0;
}

THREAD(reader) { int v = x; (void)v; return 0; } //! data-race

int main(void) { RUN(parent, reader); }
