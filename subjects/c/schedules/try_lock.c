//@ args: --entry main --schedules dpor -- -DN=1
//@ paths: 3
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DN=1
//@ paths: 3
//@ complete: yes
//@ args: --entry main --schedules dpor -- -DN=2
//@ paths: 15
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DN=2
//@ paths: 15
//@ complete: yes
// N threads try to lock, one locks.
#include "run.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

THREAD(either) {
  if (NUMBER == N) pthread_mutex_lock(&m);
  else if (pthread_mutex_trylock(&m)) return 0;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) { run_same(either, N + 1); }
