//@ args: --entry main
//@ complete: yes
// A thread that fails ends alone: its mutex is released, the others go on, and the failure is that of the first.
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
