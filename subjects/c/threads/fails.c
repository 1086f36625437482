//@ args: --entry main
//@ complete: yes
// A thread fails while it has a lock. Nobody waits for that lock then: the failure is all there is.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int turn;

static void *first(void *unused) {
  pthread_mutex_lock(&mutex);
  assert(++turn == 1); //! assertion
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, first, NULL);
  pthread_mutex_lock(&mutex);
  turn++;
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
