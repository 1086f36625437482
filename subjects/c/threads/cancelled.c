//@ args: --entry main
//@ complete: yes
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// A thread is cancelled while it waits with a locked mutex. Only a cleanup handler releases it.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

#ifdef FIXED
static void release(void *mutex) { pthread_mutex_unlock(mutex); }
#endif

static void *waiter(void *unused) {
  (void)unused;
  pthread_mutex_lock(&m);
#ifdef FIXED
  pthread_cleanup_push(release, &m);
#endif
  for (;;) pthread_cond_wait(&c, &m);
#ifdef FIXED
  pthread_cleanup_pop(1);
#endif
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
  pthread_cancel(t);
  pthread_join(t, 0);
  pthread_mutex_lock(&m); //! deadlock unless FIXED
  pthread_mutex_unlock(&m);
  return 0;
}
