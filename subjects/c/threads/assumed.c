//@ args: --entry main
//@ complete: yes
//@ paths: 90
//@ runs: 100
//@ args: --entry main --schedules sleep
//@ complete: yes
// A lock of verification tasks: an assumption about memory that another thread changes is a wait.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int m, value;

void assume_abort_if_not(int condition) {
  if (!condition) abort();
}

void __VERIFIER_atomic_acquire(void) {
  assume_abort_if_not(m == 0);
  m = 1;
}

void __VERIFIER_atomic_release(void) {
  assume_abort_if_not(m == 1);
  m = 0;
}

static void *counts(void *unused) {
  for (int i = 0; i < 2; i++) {
    __VERIFIER_atomic_acquire();
    int now = value;
    value = now + 1;
    __VERIFIER_atomic_release();
  }
  return unused;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, counts, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(value == 6);
  return 0;
}
