// Barriers: nobody passes before all have arrived, in every round, and one thread of each round is the serial one.
//@ args: --entry main
//@ complete: yes
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static int round_of[2];
static atomic_int serial;

static void *works(void *me) {
  int i = *(int *)me;
  for (int round = 1; round <= 2; round++) {
    round_of[i] = round;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) serial++;
    assert(round_of[0] == round && round_of[1] == round);
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) serial++;
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  int zero = 0, one = 1;
  assert(pthread_barrier_init(&barrier, NULL, 0) != 0);
  assert(pthread_barrier_init(&barrier, NULL, 2) == 0);
  pthread_create(&thread, NULL, works, &one);
  works(&zero);
  pthread_join(thread, NULL);
  assert(serial == 4);
  assert(pthread_barrier_destroy(&barrier) == 0);
  assert(pthread_barrier_init(&barrier, NULL, 1) == 0);
  assert(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
  return 0;
}
