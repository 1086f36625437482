//@ args: --entry main
//@ complete: yes
// The classic: two locks in opposite orders, under a condition on the input.
#include <pthread.h>
#include <xcute.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int mode;

static void *thread(void *number) {
  int crossed = (long)number == 1 && mode * 3 == 51;
  pthread_mutex_lock(crossed ? &b : &a);
  pthread_mutex_lock(crossed ? &a : &b); //! deadlock
  pthread_mutex_unlock(crossed ? &a : &b);
  pthread_mutex_unlock(crossed ? &b : &a);
  return 0;
}

int main(void) {
  xcute_input(mode);
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, thread, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
