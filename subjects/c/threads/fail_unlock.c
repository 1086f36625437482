//@ args: --entry main
//@ complete: yes
// A lock is released by a thread that does not have it.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *unused) {
  (void)unused;
  pthread_mutex_unlock(&m); //! bad-unlock
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, other, 0);
  pthread_join(t, 0);
  pthread_mutex_unlock(&m);
  return 0;
}
