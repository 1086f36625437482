//@ args: --entry main --schedules all
//@ complete: yes
//@ args: --entry main
//@ complete: yes
// Between the two writes that race, the first thread may fail: to see the race, it has to be held before it does.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int x;
static atomic_int y;

static void *first(void *unused) {
  (void)unused;
  x = 0;
  assert(y != 0); //! assertion
  return 0;
}

static void *second(void *unused) {
  (void)unused;
  if (x == 0) { //! data-race
    y = 1;
    x = 2;
  }
  return 0;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, first, 0);
  pthread_create(&t[1], 0, second, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
