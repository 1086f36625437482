//@ args: --entry main
//@ complete: yes
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// Double-checked initialisation. With a plain flag the object may be seen before it is ready; with an atomic one all is well.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int object;
#ifdef FIXED
static _Atomic int ready;
#else
static int ready;
#endif

static int get(void) {
  if (!ready) { //! data-race unless FIXED
    pthread_mutex_lock(&m);
    if (!ready) {
      object = 42;
      ready = 1;
    }
    pthread_mutex_unlock(&m);
  }
  return object; //! data-race unless FIXED
}

static void *user(void *unused) {
  (void)unused;
  assert(get() == 42);
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, user, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
