//@ args: --entry main
//@ complete: yes
// A data race, and nothing else: the result is the same in every order.
#include <pthread.h>

static int x;

static void *thread(void *unused) {
  (void)unused;
  x = 1; //! data-race
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, thread, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
