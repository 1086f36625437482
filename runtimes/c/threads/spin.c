/* Spin locks: to a scheduler they are mutexes that nobody may take twice.
 *
 * Invariant. The word of the subject's memory is 1 while somebody has the lock. */
#include <errno.h>
#include <pthread.h>
#include "threads.h"

static struct xc_sync *lock_of(u64 at) { return xc_sync_of(at, XC_SYNC_MUTEX); }

static void set(u64 at, u32 owner) {
  struct xc_sync *lock = lock_of(at);
  lock->owner = owner;
  lock->count = owner != 0;
  *(u32 *)at = owner != 0;
}

int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
  (void)shared;
  *lock = 0;
  if (XC_P->running == XC_YES) xc_shadow_clear((u64)lock, sizeof *lock);
  if (xc_threads_running()) set((u64)lock, 0);
  return 0;
}

int pthread_spin_lock(pthread_spinlock_t *lock) {
  if (!xc_threads_running()) return 0;
  lock_of((u64)lock);
  xc_visible(XC_DO_LOCK, (u64)lock, 0, 0, 0, 1, 0);
  set((u64)lock, XC_SELF->task + 1);
  return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *lock) {
  if (!xc_threads_running()) return 0;
  lock_of((u64)lock);
  xc_visible(XC_DO_TRY_LOCK, (u64)lock, 0, 0, 0, 1, 0);
  if (lock_of((u64)lock)->owner) return EBUSY;
  set((u64)lock, XC_SELF->task + 1);
  return 0;
}

int pthread_spin_unlock(pthread_spinlock_t *lock) {
  if (!xc_threads_running()) return 0;
  if (lock_of((u64)lock)->owner != XC_SELF->task + 1) xc_fail_sync(XC_CHECK_UNLOCK, "a thread unlocks a spin lock that it does not have");
  xc_visible(XC_DO_UNLOCK, (u64)lock, 0, 0, 0, 1, 0);
  set((u64)lock, 0);
  return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock) {
  if (!xc_threads_running()) return 0;
  if (lock_of((u64)lock)->owner) xc_fail_sync(XC_CHECK_DESTROYED, "a spin lock is destroyed while a thread has it");
  return 0;
}
