//@ args: --entry main
//@ complete: yes
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// A buffer that every thread believes to be its own. thread_local makes it so.
#include <assert.h>
#include <pthread.h>

#ifdef FIXED
static _Thread_local int buffer = 7;
#else
static int buffer = 7;
#endif

static int twice(int x) {
  buffer = x; //! data-race unless FIXED
  return buffer + buffer;
}

static void *thread(void *number) {
  int me = (int)(long)number;
  assert(twice(me) == 2 * me); //! assertion unless FIXED
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, thread, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
#ifdef FIXED
  assert(buffer == 7);
#endif
  return 0;
}
