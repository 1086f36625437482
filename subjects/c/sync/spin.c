// Spin locks: the thread that has one is alone.
//@ args: --entry main
//@ paths: 3
//@ complete: yes
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int count;

static void *adds(void *unused) {
  pthread_spin_lock(&lock);
  count++;
  pthread_spin_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  int added = 1;
  assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
  pthread_create(&thread, NULL, adds, NULL);
  int result = pthread_spin_trylock(&lock);
  if (result == 0) {
    count++;
    added++;
    pthread_spin_unlock(&lock);
  } else {
    assert(result == EBUSY);
  }
  pthread_join(thread, NULL);
  assert(count == added);
  assert(pthread_spin_destroy(&lock) == 0);
  return 0;
}
