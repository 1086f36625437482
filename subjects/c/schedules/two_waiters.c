//@ args: --entry main --schedules dpor
//@ paths: 10
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ paths: 10
//@ complete: yes
// One signal, two threads that wait or will wait: in every run one of them at least sleeps for ever. Which one is woken is a choice.
#include "run.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

THREAD(waiter) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m); //! lost-wakeup
  pthread_mutex_unlock(&m);
  return 0;
}

THREAD(teller) {
  pthread_mutex_lock(&m);
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) { RUN(waiter, waiter, teller); }
