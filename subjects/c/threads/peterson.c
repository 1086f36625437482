//@ args: --entry main
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// Peterson's mutual exclusion. Broken, the turn is given away before the wish is told.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int wish[2], turn;
static _Atomic int inside;

static void *section(void *number) {
  int me = (int)(long)number, other = 1 - me;
#ifdef FIXED
  wish[me] = 1;
  turn = other;
#else
  turn = other;
  wish[me] = 1;
#endif
  while (wish[other] && turn == other) {}
  assert(atomic_fetch_add(&inside, 1) == 0); //! assertion unless FIXED
  atomic_fetch_sub(&inside, 1);
  wish[me] = 0;
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, section, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
