//@ args: --entry main
//@ paths: 2
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ paths: 2
//@ complete: yes
// The environment is one for all threads: the last one that sets a variable wins.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *sets(void *value) {
  setenv("XCUTE_SUBJECT", value, 1);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, sets, "a");
  pthread_create(&b, 0, sets, "b");
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(getenv("XCUTE_SUBJECT")[0] == 'b'); //! assertion
  return 0;
}
