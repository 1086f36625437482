//@ args: --entry main -- -DN=2
//@ paths: 3
//@ complete: yes
//@ args: --entry main -- -DN=3
//@ paths: 7
//@ complete: yes
//@ args: --entry main -- -DN=4
//@ paths: 15
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DN=4
//@ paths: 15
//@ complete: yes
//@ args: --entry main -- -DN=3 -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DN=3 -DFIXED
//@ complete: yes
// Dining philosophers: 2^N - 1 executions that differ, one of which is stuck. Corrected, the last one takes his forks in the other order.
#include <pthread.h>

static pthread_mutex_t fork[N];

static void *philosopher(void *number) {
  int first = (int)(long)number, second = (first + 1) % N;
#ifdef FIXED
  if (second == 0) second = first, first = 0;
#endif
  pthread_mutex_lock(&fork[first]);
  pthread_mutex_lock(&fork[second]); //! deadlock unless FIXED
  pthread_mutex_unlock(&fork[second]);
  pthread_mutex_unlock(&fork[first]);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_mutex_init(&fork[i], 0);
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, philosopher, (void *)(long)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}
