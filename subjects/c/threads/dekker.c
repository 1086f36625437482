//@ args: --entry main
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// Dekker's mutual exclusion. Broken, whoever sees the wish of the other one waits, and so both may wait for ever.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int wish[2], turn, inside;

static void *section(void *number) {
  int me = (int)(long)number, other = 1 - me;
  wish[me] = 1;
#ifdef FIXED
  while (wish[other])
    if (turn != me) {
      wish[me] = 0;
      while (turn != me) {}
      wish[me] = 1;
    }
#else
  while (wish[other]) {} //! livelock unless FIXED
#endif
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  turn = other;
  wish[me] = 0;
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, section, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
