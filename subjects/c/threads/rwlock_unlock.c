//@ args: --entry main
//@ complete: yes
// A readers-writer lock is unlocked by a thread that does not have it.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *unlocks(void *unused) {
  pthread_rwlock_unlock(&lock); //! bad-unlock
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_rwlock_wrlock(&lock);
  pthread_create(&thread, NULL, unlocks, NULL);
  pthread_join(thread, NULL);
  return 0;
}
