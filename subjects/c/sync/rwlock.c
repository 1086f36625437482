// Readers-writer locks: readers share, writers do not, and what is tried may fail.
//@ args: --entry main
//@ complete: yes
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int low, high;

static void *reads(void *unused) {
  assert(pthread_rwlock_rdlock(&lock) == 0);
  assert(pthread_rwlock_tryrdlock(&lock) == 0);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  assert(low == high);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void *tries(void *unused) {
  int result = pthread_rwlock_tryrdlock(&lock);
  assert(result == 0 || result == EBUSY);
  if (result) return unused;
  assert(low == high);
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, reads, NULL);
  pthread_create(&b, NULL, tries, NULL);
  assert(pthread_rwlock_wrlock(&lock) == 0);
  assert(pthread_rwlock_wrlock(&lock) == EDEADLK);
  low++;
  high++;
  assert(pthread_rwlock_unlock(&lock) == 0);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(pthread_rwlock_destroy(&lock) == 0);
  return 0;
}
