//@ args: --entry main
//@ complete: yes
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// A function that locks calls another one that locks: with a plain mutex the thread waits for itself.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

#ifdef FIXED
static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
#else
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#endif
static int value;

static void add(void) {
  pthread_mutex_lock(&m); //! deadlock unless FIXED
  value++;
  pthread_mutex_unlock(&m);
}

static void *thread(void *unused) {
  (void)unused;
  pthread_mutex_lock(&m);
  add();
  add();
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, thread, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(value == 4);
  return 0;
}
