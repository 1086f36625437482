//@ args: --entry main --schedules dpor
//@ paths: 3
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ paths: 3
//@ complete: yes
// The flag is read without the lock: the signal may come between the test and the wait, and is lost.
#include "run.h"

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int flag;

THREAD(waiter) {
  if (flag == 0) {
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m); //! lost-wakeup
    pthread_mutex_unlock(&m);
  }
  return 0;
}

THREAD(teller) {
  flag = 1; //! data-race
  pthread_mutex_lock(&m);
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) { RUN(waiter, teller); }
