//@ args: --entry main
//@ complete: yes
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// A lost wakeup: the flag is set and the signal given without the lock. Between the test of the flag and the wait nobody listens.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
#ifndef SHARED
#define SHARED /* with -DSHARED=_Atomic there is no data race, but the wakeup is lost all the same */
#endif
static SHARED int ready;

static void *waiter(void *unused) {
  (void)unused;
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m); //! lost-wakeup unless FIXED
  pthread_mutex_unlock(&m);
  return 0;
}

static void *teller(void *unused) {
  (void)unused;
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  ready = 1; //! data-race unless FIXED
  pthread_cond_signal(&c);
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, waiter, 0);
  pthread_create(&t[1], 0, teller, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  return 0;
}
