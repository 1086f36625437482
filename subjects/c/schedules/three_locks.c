//@ args: --entry main --schedules dpor
//@ paths: 8
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ paths: 8
//@ complete: yes
// Three threads, three locks, and two ways to block each other.
#include "run.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER, o = PTHREAD_MUTEX_INITIALIZER;

static void nest(pthread_mutex_t *a, pthread_mutex_t *b) {
  pthread_mutex_lock(a);
  pthread_mutex_lock(b); //! deadlock
  pthread_mutex_unlock(b);
  pthread_mutex_unlock(a);
}

THREAD(t1) { nest(&m, &n); return 0; }
THREAD(t2) { nest(&o, &m); return 0; }
THREAD(t3) { nest(&n, &m); return 0; }

int main(void) { RUN(t1, t2, t3); }
