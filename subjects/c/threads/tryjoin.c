//@ args: --entry main
//@ complete: yes
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// Whether a thread is over is asked once, and its result used whatever the answer is. Corrected, whoever is told that it runs still waits for it.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static int result;

static void *work(void *unused) {
  (void)unused;
  result = 42;
  return &result;
}

int main(void) {
  pthread_t t;
  void *value = 0;
  pthread_create(&t, 0, work, 0);
  int busy = pthread_tryjoin_np(t, &value);
#ifdef FIXED
  if (busy) pthread_join(t, &value);
#endif
  assert(value == &result); //! assertion unless FIXED
#ifndef FIXED
  if (busy) pthread_join(t, 0);
#endif
  return 0;
}
