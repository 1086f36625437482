//@ args: --entry main
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ complete: yes
// Nobody joins the thread, but it may fail before main returns.
#include <assert.h>
#include <pthread.h>

static void *fails(void *unused) {
  assert(!unused); //! assertion
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, fails, "");
  return 0;
}
