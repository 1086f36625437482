//@ args: --entry main
//@ complete: yes
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// A computation in two phases: without the barrier between them a thread reads what the other one has not yet written.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t between;
static int half[2];
static int whole[2];

static void *thread(void *number) {
  int me = (int)(long)number;
  half[me] = me + 1; //! data-race unless FIXED
#ifdef FIXED
  pthread_barrier_wait(&between);
#endif
  whole[me] = half[0] + half[1];
  return 0;
}

int main(void) {
  pthread_barrier_init(&between, 0, 2);
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, thread, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(whole[0] == 3 && whole[1] == 3); //! assertion unless FIXED
  pthread_barrier_destroy(&between);
  return 0;
}
