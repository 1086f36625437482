//@ args: --entry main
//@ complete: yes
// A lock is destroyed while another thread has it, in one of the orders.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *user(void *unused) {
  (void)unused;
  pthread_mutex_lock(&m); //! destroyed-in-use
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, user, 0);
  pthread_mutex_destroy(&m); //! destroyed-in-use
  pthread_join(t, 0);
  return 0;
}
