// Inputs go from thread to thread: as arguments, results, and data by key.
//@ args: --entry passes
//@ complete: yes
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_key_t key;

static void *takes(void *value) {
  pthread_setspecific(key, value);
  if ((intptr_t)pthread_getspecific(key) == 77) pthread_exit((void *)1);
  return (void *)((intptr_t)value * 2);
}

void passes(short n) {
  pthread_t thread;
  void *result;
  pthread_key_create(&key, NULL);
  pthread_create(&thread, NULL, takes, (void *)(intptr_t)n);
  pthread_join(thread, &result);
  assert((intptr_t)result != 2468); //! assertion
}
