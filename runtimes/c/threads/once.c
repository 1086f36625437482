/* pthread_once: the first runs the routine, the others wait until it is done.
 *
 * The word is an atomic; who runs the routine has a mutex of the same address meanwhile, so that whoever waits for it, and for ever, is known to wait
 * for that thread. An exception that leaves the routine gives the next one a try, as std::call_once wants it.
 *
 * Invariant. The word is DONE if and only if the routine has returned. */
#include <pthread.h>
#include "threads.h"

enum { DONE = 2 /* as the C library has it */, WORD = 4 };

static struct xc_sync *mutex_of(u64 at) { return xc_sync_of(at, XC_SYNC_MUTEX); }

static void set_owner(u64 at, u32 owner) {
  struct xc_sync *mutex = mutex_of(at);
  mutex->owner = owner;
  mutex->count = owner != 0;
}

/* Also where an exception, or the end of the thread, leaves the routine. */
static void unlock(u64 *at) {
  if (!xc_threads_running()) return;
  xc_visible(XC_DO_UNLOCK, *at, 0, 0, 0, 1, 0);
  set_owner(*at, 0);
}

int pthread_once(pthread_once_t *control, void (*routine)(void)) {
  u64 at = (u64)control;
  if (!xc_threads_running()) {
    if (*control == DONE) return 0;
    *control = DONE;
    routine();
    return 0;
  }
  mutex_of(at);
  xc_visible(XC_DO_LOAD, at, 0, (u32)*control, WORD, 1, XC_FULL_ORDER);
  if (*control == DONE) return 0;
  xc_visible(XC_DO_LOCK, at, 0, 0, 0, 1, 0);
  set_owner(at, XC_SELF->task + 1);
  u64 held __attribute__((cleanup(unlock))) = at;
  if (*control == DONE) return 0;
  routine();
  xc_visible(XC_DO_STORE, at, 0, (u32)*control, WORD, 1, XC_FULL_ORDER);
  *control = DONE;
  return 0;
}
