//@ args: --entry main --schedules dpor -- -DN=2
//@ paths: 2
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DN=2
//@ paths: 2
//@ complete: yes
//@ args: --entry main --schedules dpor -- -DN=2 -DAGAIN
//@ paths: 2
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DN=2 -DAGAIN
//@ paths: 2
//@ complete: yes
//@ args: --entry main --schedules dpor -- -DN=3
//@ paths: 6
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DN=3
//@ paths: 6
//@ complete: yes
//@ args: --entry main --schedules dpor -- -DN=4
//@ paths: 24
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DN=4
//@ paths: 24
//@ complete: yes
// A counter that a lock guards: N! orders of the sections, whatever is in them; with AGAIN the lock is taken twice.
#include "run.h"

pthread_mutex_t m;
int x;

THREAD(count) {
  pthread_mutex_lock(&m);
#ifdef AGAIN
  pthread_mutex_lock(&m);
#endif
  x = x + 1;
#ifdef AGAIN
  pthread_mutex_unlock(&m);
#endif
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_mutexattr_t again;
  pthread_mutexattr_init(&again);
  pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &again);
  run_same(count, N);
  assert(x == N);
}
