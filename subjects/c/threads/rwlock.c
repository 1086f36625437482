//@ args: --entry main
//@ complete: yes
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// Writing under a lock for reading: two threads that have it do not exclude each other.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *thread(void *unused) {
  (void)unused;
#ifdef FIXED
  pthread_rwlock_wrlock(&lock);
#else
  pthread_rwlock_rdlock(&lock);
#endif
  int old = value; //! data-race unless FIXED
  value = old + 1;
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, thread, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  pthread_rwlock_rdlock(&lock);
  assert(value == 2); //! assertion unless FIXED
  pthread_rwlock_unlock(&lock);
  return 0;
}
