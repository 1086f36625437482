//@ args: --entry main --schedules dpor -- -DPERMITS=1
//@ paths: 2
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DPERMITS=1
//@ paths: 2
//@ complete: yes
//@ args: --entry main --schedules dpor -- -DPERMITS=0
//@ paths: 1
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DPERMITS=0
//@ paths: 1
//@ complete: yes
// A semaphore as a lock (one permit), and as a signal (none).
#include <semaphore.h>
#include "run.h"

sem_t s;
int x;

THREAD(either) {
  if (PERMITS == 1 || NUMBER == 0) sem_wait(&s);
  x = NUMBER;
  if (PERMITS == 1 || NUMBER == 1) sem_post(&s);
  return 0;
}

int main(void) {
  sem_init(&s, 0, PERMITS);
  run_same(either, 2);
}
