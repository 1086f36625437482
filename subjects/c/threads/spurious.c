//@ args: --entry main --spurious 1
//@ complete: yes
//@ args: --entry main --spurious 1 -- -DFIXED
//@ complete: yes
//@ args: --entry main --spurious 1 --schedules sleep -- -DFIXED
//@ complete: yes
//@ args: --entry main --spurious 0
//@ complete: yes
// A wait may end without a signal. `if` is wrong even with one waiter and one signal, but only `--spurious` shows it.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *thread(void *number) {
  pthread_mutex_lock(&m);
  if ((long)number == 1) {
    ready = 1;
    pthread_cond_signal(&c);
  } else {
#ifdef FIXED
    while (!ready) pthread_cond_wait(&c, &m);
#else
    if (!ready) pthread_cond_wait(&c, &m);
#endif
    assert(ready); //! assertion if --spurious 1 unless FIXED
  }
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, thread, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
