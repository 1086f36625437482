// Condition variables: waits that are signalled, waits that time out, broadcasts.
//@ args: --entry main
//@ complete: yes
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int there, timed_out;

static void *waits(void *unused) {
  pthread_mutex_lock(&mutex);
  while (!there) assert(pthread_cond_wait(&ready, &mutex) == 0);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void *waits_a_while(void *unused) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec++;
  pthread_mutex_lock(&mutex);
  if (!there) {
    int result = pthread_cond_timedwait(&ready, &mutex, &until);
    assert(result == 0 || result == ETIMEDOUT);
    assert(there || result == ETIMEDOUT);
    timed_out = result == ETIMEDOUT;
  }
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, waits, NULL);
  pthread_create(&b, NULL, waits_a_while, NULL);
  pthread_mutex_lock(&mutex);
  there = 1;
  pthread_cond_broadcast(&ready);
  pthread_mutex_unlock(&mutex);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(pthread_cond_destroy(&ready) == 0);
  return 0;
}
