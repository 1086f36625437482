//@ args: --entry main
//@ complete: yes
// Two threads that give way to each other: each waits for a flag that only the other one could set.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int go[2];

static void *thread(void *number) {
  long me = (long)number;
  while (!go[me]) {} //! livelock
  go[1 - me] = 1;
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, thread, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
