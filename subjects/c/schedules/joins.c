//@ args: --entry main --schedules dpor
//@ paths: 3
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ paths: 3
//@ complete: yes
// What is joined is over: the read comes after the first write in every run.
#include "run.h"

int x;

THREAD(two) { x = 2; return 0; }
THREAD(three) { x = 3; return 0; } //! data-race

int main(void) {
  pthread_t c, d;
  pthread_create(&c, 0, two, 0);
  pthread_create(&d, 0, three, 0);
  pthread_join(c, 0);
  int v = x;
  (void)v;
  pthread_join(d, 0);
}
