//@ args: --entry main
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ complete: yes
//@ args: --entry main --schedules races
//@ complete: yes
//@ args: --entry main --schedules all
//@ complete: yes
// Two threads fail, and neither depends on the failure of the other: both failures are found, though one always comes after the other in the
// executions that are run. The third thread sees what the first wrote before it fails; main cannot come to its end.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int x;

static void *at_once(void *unused) {
  (void)unused;
  pthread_mutex_lock(&m);
  x = 1;
  assert(x == 0); //! assertion
  pthread_mutex_unlock(&m);
  return 0;
}

static void *at_start(void *unused) {
  assert(unused); //! assertion
  return 0;
}

static void *sees(void *unused) {
  assert(x != 1); //! assertion
  pthread_mutex_lock(&m);
  assert(x != 1);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, at_once, 0);
  pthread_create(&t[1], 0, at_start, 0);
  pthread_create(&t[2], 0, sees, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(0);
  return 0;
}
