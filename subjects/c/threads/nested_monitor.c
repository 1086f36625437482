//@ args: --entry main
//@ complete: yes
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// A nested monitor: a set with a lock of its own that waits in a queue with a lock of its own. Who waits in the queue keeps the set locked.
#include <pthread.h>

#ifndef FIXED
static pthread_mutex_t set = PTHREAD_MUTEX_INITIALIZER;
#endif
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int length;

static void lock(void) {
#ifndef FIXED
  pthread_mutex_lock(&set); //! deadlock unless FIXED
#endif
  pthread_mutex_lock(&queue);
}

static void unlock(void) {
  pthread_mutex_unlock(&queue);
#ifndef FIXED
  pthread_mutex_unlock(&set);
#endif
}

static void *take(void *unused) {
  (void)unused;
  lock();
  while (length == 0) pthread_cond_wait(&filled, &queue);
  length--;
  unlock();
  return 0;
}

static void *add(void *unused) {
  (void)unused;
  lock();
  length++;
  pthread_cond_signal(&filled);
  unlock();
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, take, 0);
  pthread_create(&t[1], 0, add, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  return 0;
}
