//@ args: --entry main --schedules dpor
//@ paths: 2
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ paths: 2
//@ complete: yes
// A nested monitor: the thread that waits inside keeps the outer lock, which the other one needs to come in.
#include "run.h"

pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int flag;

THREAD(waiter) {
  pthread_mutex_lock(&outer);
  pthread_mutex_lock(&inner);
  if (flag == 0) pthread_cond_wait(&c, &inner); //! deadlock
  pthread_mutex_unlock(&inner);
  pthread_mutex_unlock(&outer);
  return 0;
}

THREAD(teller) {
  pthread_mutex_lock(&outer);
  pthread_mutex_lock(&inner);
  flag = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&inner);
  pthread_mutex_unlock(&outer);
  return 0;
}

int main(void) { RUN(waiter, teller); }
