//@ args: --entry main
//@ complete: yes
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// What must be done once: a flag of one's own is tested by two threads before one of them sets it; pthread_once is right.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int started, begun;

static void start(void) { started++; } //! data-race unless FIXED

static void *thread(void *unused) {
  (void)unused;
#ifdef FIXED
  pthread_once(&once, start);
#else
  (void)once;
  if (!begun) { //! data-race unless FIXED
    start();
    begun = 1;
  }
#endif
  int times = started; //! data-race unless FIXED
  assert(times == 1); //! assertion unless FIXED
  return 0;
}

int main(void) {
  (void)begun;
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, thread, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
