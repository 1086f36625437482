/* Semaphores without names. The permits are in the subject's memory, as in the C library: what constructors initialise is there in every run.
 *
 * Invariant. The first word of the memory is the number of permits, while a run is under way also that of the object. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include "late.h"
#include "life.h"

static struct xc_sync *semaphore_of(u64 at) {
  if (*xc_word(at, 1) == XC_GONE) xc_fail_sync(XC_CHECK_DESTROYED, "a semaphore is used after it was destroyed");
  struct xc_sync *semaphore = xc_sync_of(at, XC_SYNC_SEMAPHORE);
  semaphore->count = *xc_word(at, 0);
  return semaphore;
}

static int fails(int error) {
  errno = error;
  return -1;
}

static void set(u64 at, u32 permits) {
  *xc_word(at, 0) = permits;
  if (xc_threads_running()) xc_sync_of(at, XC_SYNC_SEMAPHORE)->count = permits;
}

int sem_init(sem_t *semaphore, int shared, unsigned value) {
  (void)shared;
  if (value > INT_MAX) return fails(EINVAL);
  xc_born(semaphore, sizeof *semaphore);
  set((u64)semaphore, value);
  return 0;
}

/* One permit; 0 if there was none. */
static int take(u64 at, u32 op, u32 flags) {
  if (xc_threads_running()) {
    u32 permits = semaphore_of(at)->count;
    xc_visible(op, at, 0, permits, 0, 1, flags);
    semaphore_of(at);
  }
  u32 permits = *xc_word(at, 0);
  if (permits) set(at, permits - 1);
  return permits != 0;
}

int sem_wait(sem_t *semaphore) {
  xc_cancel_point();
  int taken = take((u64)semaphore, XC_DO_SEM_WAIT, 0);
  xc_cancel_left(!taken); /* without a permit it goes on only to be cancelled */
  return 0;
}

int sem_trywait(sem_t *semaphore) { return take((u64)semaphore, XC_DO_SEM_TRY_WAIT, 0) ? 0 : fails(EAGAIN); }

int sem_timedwait(sem_t *semaphore, const struct timespec *until) {
  pthread_testcancel();
  if (xc_wrong_time(until)) return fails(EINVAL);
  struct xc_timed timed = xc_timed(XC_DO_SEM_WAIT, XC_DO_SEM_TRY_WAIT);
  return take((u64)semaphore, timed.op, timed.flags) ? 0 : fails(xc_timed_out(ETIMEDOUT, until));
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until) {
  (void)clock;
  return sem_timedwait(semaphore, until);
}

int sem_post(sem_t *semaphore) {
  u64 at = (u64)semaphore;
  if (xc_threads_running()) {
    u32 permits = semaphore_of(at)->count;
    xc_visible(XC_DO_SEM_POST, at, 0, permits, 0, 1, 0);
    semaphore_of(at);
  }
  u32 permits = *xc_word(at, 0);
  if (permits == INT_MAX) return fails(EOVERFLOW);
  set(at, permits + 1);
  return 0;
}

/* To look at the permits is a step that conflicts with whoever changes them, as the end of a read does. */
int sem_getvalue(sem_t *semaphore, int *value) {
  u64 at = (u64)semaphore;
  if (xc_threads_running()) {
    semaphore_of(at);
    xc_visible(XC_DO_READ_UNLOCK, at, 0, 0, 0, 1, 0);
  }
  *value = (int)*xc_word(at, 0);
  xc_give(value, sizeof *value);
  return 0;
}

int sem_destroy(sem_t *semaphore) {
  u64 at = (u64)semaphore;
  if (!xc_threads_running()) return 0;
  semaphore_of(at);
  xc_visible(XC_DO_UNLOCK, at, 0, 0, 0, 1, XC_DESTROYS);
  for (u32 i = 0; i < XC_T->n_order; i++) {
    const struct xc_fiber *other = &XC_FIBERS[XC_T->order[i]];
    if (other != XC_SELF && other->state == XC_FIBER_READY && other->next.op == XC_DO_SEM_WAIT && other->next.object == at && !*xc_word(at, 0)) {
      xc_fail_sync(XC_CHECK_DESTROYED, "a semaphore is destroyed while a thread waits for it");
    }
  }
  *xc_word(at, 1) = XC_GONE;
  return 0;
}
