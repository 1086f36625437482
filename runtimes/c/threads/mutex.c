/* Mutexes: normal, recursive, error-checking; lock, trylock, the timed ones, unlock.
 *
 * The type of a mutex is in the subject's memory, where static initialisers put it, and so is its end: the C library's own place for the kind. Who has
 * it is known only here. Inner levels of a recursive mutex are not steps. A normal mutex that its owner locks again blocks for ever. A timed lock is a
 * trylock whose failure says that the time is over (late.h has the exception).
 *
 * Invariant. owner and count change only after a step: LOCK, TRY_LOCK, UNLOCK, or the WAIT and REACQUIRE of a condition. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include "late.h"

enum { GONE = -1, ROBUST = 16 };

static int *kind_of(u64 address) { return &((pthread_mutex_t *)address)->__data.__kind; }

static void check_life(u64 address) {
  if (*kind_of(address) == GONE) xc_fail_sync(XC_CHECK_DESTROYED, "a mutex is used after it was destroyed");
}

struct xc_sync *xc_mutex_of(u64 address) {
  struct xc_sync *mutex = xc_sync_of(address, XC_SYNC_MUTEX);
  check_life(address);
  mutex->type = (u32)*kind_of(address) & 3;
  return mutex;
}

static u32 self(void) { return XC_SELF->task + 1; }

void xc_mutex_give(struct xc_sync *mutex, u32 *levels) {
  *levels = mutex->count;
  mutex->owner = mutex->count = 0;
}

void xc_mutex_take(struct xc_sync *mutex, u32 levels) {
  mutex->owner = self();
  mutex->count = levels;
}

/* Another level, if the type allows it: 1, with the answer. */
static int again(struct xc_sync *mutex, int *answer) {
  if (mutex->owner != self() || mutex->type != PTHREAD_MUTEX_RECURSIVE) return 0;
  *answer = ++mutex->count ? 0 : EAGAIN;
  return 1;
}

int pthread_mutex_lock(pthread_mutex_t *at) {
  int answer = 0;
  if (!xc_threads_running()) return 0;
  struct xc_sync *mutex = xc_mutex_of((u64)at);
  if (again(mutex, &answer)) return answer;
  if (mutex->owner == self() && mutex->type == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
  xc_visible(XC_DO_LOCK, (u64)at, 0, 0, 0, 1, 0);
  check_life((u64)at);
  xc_mutex_take(mutex, 1);
  return 0;
}

/* The rest of trylock and of the timed locks. */
static int try(u64 at, struct xc_timed how, int busy) {
  int answer = 0;
  if (!xc_threads_running()) return 0;
  struct xc_sync *mutex = xc_mutex_of(at);
  if (again(mutex, &answer)) return answer;
  xc_visible(how.op, at, 0, 0, 0, 1, how.flags);
  check_life(at);
  if (mutex->owner) return busy;
  xc_mutex_take(mutex, 1);
  return 0;
}

int pthread_mutex_trylock(pthread_mutex_t *at) {
  return try((u64)at, (struct xc_timed){XC_DO_TRY_LOCK, 0}, EBUSY);
}

static int timed(u64 at, const struct timespec *until) {
  if (xc_wrong_time(until)) return EINVAL;
  if (xc_threads_running()) {
    const struct xc_sync *mutex = xc_mutex_of(at);
    if (mutex->owner == self() && mutex->type == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
  }
  return xc_timed_out(try(at, xc_timed(XC_DO_LOCK, XC_DO_TRY_LOCK), ETIMEDOUT), until);
}

int pthread_mutex_timedlock(pthread_mutex_t *at, const struct timespec *until) {
  return timed((u64)at, until);
}

int pthread_mutex_clocklock(pthread_mutex_t *at, clockid_t clock, const struct timespec *until) {
  (void)clock;
  return timed((u64)at, until);
}

int pthread_mutex_unlock(pthread_mutex_t *at) {
  if (!xc_threads_running()) return 0;
  struct xc_sync *mutex = xc_mutex_of((u64)at);
  if (mutex->owner != self()) {
    if (mutex->type == PTHREAD_MUTEX_RECURSIVE || mutex->type == PTHREAD_MUTEX_ERRORCHECK) return EPERM;
    xc_fail_sync(XC_CHECK_UNLOCK, mutex->owner ? "a mutex is unlocked that another thread has locked" : "a mutex is unlocked that is not locked");
  }
  if (mutex->count > 1) {
    mutex->count--;
    return 0;
  }
  xc_visible(XC_DO_UNLOCK, (u64)at, 0, 0, 0, 1, 0);
  mutex->owner = mutex->count = 0;
  return 0;
}

int pthread_mutex_init(pthread_mutex_t *at, const pthread_mutexattr_t *attributes) {
  xc_zero(at, sizeof *at);
  if (attributes) *kind_of((u64)at) = *(const int *)attributes & 3;
  if (!xc_threads_running()) return 0;
  struct xc_sync *mutex = xc_sync_of((u64)at, XC_SYNC_MUTEX);
  if (mutex->owner) xc_fail_sync(XC_CHECK_DESTROYED, "a mutex is initialised while it is locked");
  xc_shadow_clear((u64)at, sizeof *at);
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *at) {
  if (!xc_threads_running()) return 0;
  struct xc_sync *mutex = xc_mutex_of((u64)at);
  xc_visible(XC_DO_UNLOCK, (u64)at, 0, 0, 0, 1, XC_DESTROYS);
  check_life((u64)at);
  if (mutex->owner) xc_fail_sync(XC_CHECK_DESTROYED, "a mutex is destroyed while it is locked");
  *kind_of((u64)at) = GONE;
  return 0;
}

int pthread_mutex_consistent(pthread_mutex_t *at) {
  (void)at;
  return EINVAL; /* no owner ever dies with a robust mutex: those are locked as others are */
}

/* Attributes: the word holds the type; the rest (sharing between processes, priorities, robustness) changes nothing here. */
int pthread_mutexattr_init(pthread_mutexattr_t *attributes) {
  xc_zero(attributes, sizeof *attributes);
  if (XC_P->running == XC_YES) xc_shadow_clear((u64)attributes, sizeof *attributes);
  return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes) {
  (void)attributes;
  return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int type) {
  if (type < PTHREAD_MUTEX_NORMAL || type > PTHREAD_MUTEX_ADAPTIVE_NP) return EINVAL;
  *(int *)attributes = (*(int *)attributes & ~3) | type;
  return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *attributes, int *type) {
  *type = *(const int *)attributes & 3;
  if (XC_P->running == XC_YES) xc_shadow_clear((u64)type, sizeof *type);
  return 0;
}
