//@ args: --entry main
//@ complete: yes
// A thread is waited for twice.
#include <pthread.h>

static void *nothing(void *unused) { return unused; }

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, nothing, 0);
  pthread_join(t, 0);
  pthread_join(t, 0); //! bad-join
  return 0;
}
