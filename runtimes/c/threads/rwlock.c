/* Readers-writer locks. Readers come in whenever nobody writes, as in the C library by default.
 *
 * Timed variants try: what they do not get at once is given up, for the time may be over (late.h has the exception).
 *
 * Invariant. count is the sum of the shares of all tasks; a task has a share only while it reads. */
#include <errno.h>
#include <pthread.h>
#include "late.h"
#include "life.h"

static const char gone[] = "a readers-writer lock is used after it was destroyed";

static struct xc_sync *lock_of(u64 address) { return xc_living(address, XC_SYNC_RWLOCK, gone); }

static u32 self(void) { return XC_SELF->task + 1; }

static int take_to_read(u64 at, u32 op, u32 flags, int failure) {
  if (!xc_threads_running()) return 0;
  if (lock_of(at)->owner == self()) return failure == EBUSY ? EBUSY : EDEADLK;
  xc_visible(op, at, 0, 0, 0, 1, flags);
  struct xc_sync *lock = lock_of(at);
  if (lock->owner) return failure;
  lock->count++;
  xc_share_of(at, XC_SELF->task)->count++;
  return 0;
}

static int take_to_write(u64 at, u32 op, u32 flags, int failure) {
  if (!xc_threads_running()) return 0;
  if (lock_of(at)->owner == self()) return failure == EBUSY ? EBUSY : EDEADLK;
  xc_visible(op, at, 0, 0, 0, 1, flags);
  struct xc_sync *lock = lock_of(at);
  if (lock->owner || lock->count) return failure;
  lock->owner = self();
  return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) { return take_to_read((u64)lock, XC_DO_READ_LOCK, 0, EDEADLK); }
int pthread_rwlock_wrlock(pthread_rwlock_t *lock) { return take_to_write((u64)lock, XC_DO_WRITE_LOCK, 0, EDEADLK); }
int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) { return take_to_read((u64)lock, XC_DO_TRY_READ_LOCK, 0, EBUSY); }
int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) { return take_to_write((u64)lock, XC_DO_TRY_WRITE_LOCK, 0, EBUSY); }

static int timed_read(u64 lock, const struct timespec *until) {
  if (xc_wrong_time(until)) return EINVAL;
  struct xc_timed timed = xc_timed(XC_DO_READ_LOCK, XC_DO_TRY_READ_LOCK);
  return xc_timed_out(take_to_read(lock, timed.op, timed.flags, ETIMEDOUT), until);
}

static int timed_write(u64 lock, const struct timespec *until) {
  if (xc_wrong_time(until)) return EINVAL;
  struct xc_timed timed = xc_timed(XC_DO_WRITE_LOCK, XC_DO_TRY_WRITE_LOCK);
  return xc_timed_out(take_to_write(lock, timed.op, timed.flags, ETIMEDOUT), until);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *until) { return timed_read((u64)lock, until); }
int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *until) { return timed_write((u64)lock, until); }

int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until) {
  (void)clock;
  return timed_read((u64)lock, until);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until) {
  (void)clock;
  return timed_write((u64)lock, until);
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  if (!xc_threads_running()) return 0;
  u64 at = (u64)lock;
  int writes = lock_of(at)->owner == self();
  struct xc_sync *share = xc_share_of(at, XC_SELF->task);
  if (!writes && !share->count) xc_fail_sync(XC_CHECK_UNLOCK, "a thread unlocks a readers-writer lock that it does not have");
  xc_visible(writes ? XC_DO_WRITE_UNLOCK : XC_DO_READ_UNLOCK, at, 0, 0, 0, 1, 0);
  struct xc_sync *sync = lock_of(at);
  if (writes) {
    sync->owner = 0;
  } else {
    sync->count--;
    share->count--;
  }
  return 0;
}

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes) {
  (void)attributes;
  xc_born(lock, sizeof *lock);
  return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
  u64 at = (u64)lock;
  if (!xc_threads_running()) return 0;
  lock_of(at);
  xc_visible(XC_DO_WRITE_UNLOCK, at, 0, 0, 0, 1, XC_DESTROYS);
  struct xc_sync *sync = lock_of(at);
  if (sync->owner || sync->count) xc_fail_sync(XC_CHECK_DESTROYED, "a readers-writer lock is destroyed while a thread has it");
  *xc_word(at, 0) = XC_GONE;
  return 0;
}
