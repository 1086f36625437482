//@ args: --entry main
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ complete: yes
// Whether a compare-exchange writes depends on the input: by what is there, and by what is expected.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <xcute.h>

static _Atomic int x, y;
static int bit, expected;

static void *exchanges(void *unused) {
  int old = 0, swapped = atomic_compare_exchange_strong(&x, &old, 2);
  if (bit && swapped) y = 1;
  old = expected;
  swapped = atomic_compare_exchange_strong(&y, &old, 3);
  if (bit && !swapped) x = 0;
  return unused;
}

static void *writes(void *unused) {
  x = bit;
  assert(y != 3 || expected != 1); //! assertion
  return unused;
}

int main(void) {
  pthread_t t[2];
  xcute_input(bit);
  xcute_assume(bit == 0 || bit == 1);
  xcute_input(expected);
  pthread_create(&t[0], 0, exchanges, 0);
  pthread_create(&t[1], 0, writes, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
