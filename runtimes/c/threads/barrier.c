/* Barriers. A wait is two steps: it arrives, and it passes when its round is full.
 *
 * The last one to arrive is told that it is the serial thread.
 *
 * Invariant. arrivals counts from the first use of the memory on, also over a new pthread_barrier_init, which notes in `type` where its rounds
 * begin. */
#include <errno.h>
#include <pthread.h>
#include "life.h"

/* The words of the memory: of how many threads it is, and its life. */
static struct xc_sync *barrier_of(u64 at) {
  if (*xc_word(at, 1) == XC_GONE) xc_fail_sync(XC_CHECK_DESTROYED, "a barrier is used after it was destroyed");
  struct xc_sync *barrier = xc_sync_of(at, XC_SYNC_BARRIER);
  barrier->count = *xc_word(at, 0);
  return barrier;
}

/* Arrivals that end the round of the n-th arrival. */
static u64 end_of_round(const struct xc_sync *barrier, u64 n) {
  u64 of = barrier->count, begun = n - barrier->type;
  return barrier->type + (begun + of - 1) / of * of;
}

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned count) {
  (void)attributes;
  if (!count || count > 0x7fffffff) return EINVAL;
  u64 at = (u64)barrier;
  xc_born(barrier, sizeof *barrier);
  *xc_word(at, 0) = count;
  if (xc_threads_running()) {
    struct xc_sync *sync = xc_sync_of(at, XC_SYNC_BARRIER);
    sync->type = (u32)sync->arrivals;
    sync->count = count;
  }
  return 0;
}

int pthread_barrier_wait(pthread_barrier_t *barrier) {
  u64 at = (u64)barrier;
  if (!*xc_word(at, 0)) return EINVAL;
  if (!xc_threads_running()) return PTHREAD_BARRIER_SERIAL_THREAD;
  barrier_of(at);
  xc_visible(XC_DO_ARRIVE, at, 0, 0, 0, 1, 0);
  struct xc_sync *sync = barrier_of(at);
  u64 mine = ++sync->arrivals, end = end_of_round(sync, mine);
  xc_visible(XC_DO_PASS, at, end, 0, 0, 1, 0);
  return mine == end ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

int pthread_barrier_destroy(pthread_barrier_t *barrier) {
  u64 at = (u64)barrier;
  if (xc_threads_running()) {
    /* Only what was used can be in use. */
    if (barrier_of(at)->arrivals) xc_visible(XC_DO_UNLOCK, at, 0, 0, 0, 1, XC_DESTROYS);
    struct xc_sync *sync = barrier_of(at);
    if (sync->count && end_of_round(sync, sync->arrivals) != sync->arrivals) {
      xc_fail_sync(XC_CHECK_DESTROYED, "a barrier is destroyed while a thread waits at it");
    }
    *xc_word(at, 1) = XC_GONE;
  }
  return 0;
}
