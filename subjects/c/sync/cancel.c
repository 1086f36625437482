// Cancellation: a thread that waits is cancelled, its cleanup handlers run, and the mutex is free again.
//@ args: --entry main
//@ complete: yes
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t empty;
static int cleaned;

static void unlocks(void *which) {
  cleaned++;
  pthread_mutex_unlock(which);
}

static void *waits(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlocks, &mutex);
  for (;;) pthread_cond_wait(&never, &mutex);
  pthread_cleanup_pop(0);
  return unused;
}

static void *sleeps(void *unused) {
  int old;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  assert(old == PTHREAD_CANCEL_ENABLE);
  pthread_testcancel();
  pthread_setcancelstate(old, NULL);
  sem_wait(&empty);
  return unused;
}

int main(void) {
  pthread_t thread;
  void *result;
  sem_init(&empty, 0, 0);
  pthread_create(&thread, NULL, waits, NULL);
  assert(pthread_cancel(thread) == 0);
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED && cleaned <= 1);
  assert(pthread_mutex_lock(&mutex) == 0);
  pthread_create(&thread, NULL, sleeps, NULL);
  assert(pthread_cancel(thread) == 0);
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED);
  return 0;
}
