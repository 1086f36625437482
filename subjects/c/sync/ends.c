// Threads that end in every way: by returning, pthread_exit, cancellation, detached, and after main has ended.
//@ args: --entry main
//@ paths: 1
//@ complete: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int ended;
static pthread_key_t key;

static void notes(void *value) { (void)value, ended++; }

static void *returns(void *value) {
  pthread_setspecific(key, value);
  return value;
}

static void *exits(void *value) {
  pthread_setspecific(key, value);
  pthread_exit(value);
}

static void *is_cancelled(void *value) {
  pthread_setspecific(key, value);
  pthread_cancel(pthread_self());
  pthread_testcancel();
  return value;
}

static void *lasts(void *value) {
  pthread_detach(pthread_self());
  return value;
}

int main(void) {
  pthread_t threads[3], last;
  void *result;
  pthread_key_create(&key, notes);
  pthread_create(&threads[0], NULL, returns, &ended);
  pthread_join(threads[0], &result);
  assert(result == &ended);
  pthread_create(&threads[1], NULL, exits, &ended);
  pthread_join(threads[1], &result);
  assert(result == &ended);
  pthread_create(&threads[2], NULL, is_cancelled, &ended);
  pthread_join(threads[2], &result);
  assert(result == PTHREAD_CANCELED);
  assert(ended == 3);
  pthread_create(&last, NULL, lasts, &ended);
  pthread_exit(NULL);
}
