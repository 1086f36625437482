//@ args: --entry main
//@ complete: yes
// A condition variable is destroyed while a thread may still wait for it.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int there;

static void *waits(void *unused) {
  pthread_mutex_lock(&mutex);
  if (!there) pthread_cond_wait(&ready, &mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waits, NULL);
  pthread_mutex_lock(&mutex);
  there = 1;
  pthread_mutex_unlock(&mutex);
  pthread_cond_destroy(&ready); //! destroyed-in-use
  pthread_join(thread, NULL);
  return 0;
}
