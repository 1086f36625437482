//@ args: --entry main
//@ complete: yes
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// Threads, mutexes and conditions of C11.
#include <assert.h>
#include <threads.h>

static mtx_t m;
static cnd_t filled;
static int queue, taken;

static int put(void *unused) {
  (void)unused;
  mtx_lock(&m);
  queue++;
  cnd_signal(&filled);
  mtx_unlock(&m);
  return 0;
}

static int take(void *unused) {
  (void)unused;
  mtx_lock(&m);
#ifdef FIXED
  while (queue == 0)
#endif
    cnd_wait(&filled, &m); //! lost-wakeup unless FIXED
  queue--;
  taken++;
  mtx_unlock(&m);
  return 7;
}

int main(void) {
  thrd_t t[2];
  int result;
  mtx_init(&m, mtx_plain);
  cnd_init(&filled);
  thrd_create(&t[0], put, 0);
  thrd_create(&t[1], take, 0);
  thrd_join(t[0], 0);
  thrd_join(t[1], &result);
  assert(result == 7 && taken == 1 && queue == 0);
  cnd_destroy(&filled);
  mtx_destroy(&m);
  return 0;
}
