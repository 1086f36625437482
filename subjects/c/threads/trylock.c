//@ args: --entry main
//@ complete: yes
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// A trylock whose answer is ignored: a thread that did not get the mutex writes all the same, and releases what it does not have.
// The assertion of main cannot fail: a thread that could make it wrong does not come to its end.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value;
static int refused[2];

static void *thread(void *number) {
  int got = pthread_mutex_trylock(&m) == 0;
#ifdef FIXED
  if (!got) {
    refused[(long)number] = 1;
    return 0;
  }
#else
  (void)number, (void)got;
#endif
  int old = value; //! data-race unless FIXED
  value = old + 1;
  pthread_mutex_unlock(&m); //! bad-unlock unless FIXED
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, thread, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(value + refused[0] + refused[1] == 2);
  return 0;
}
