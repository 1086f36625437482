/* Static locals of C++: the first thread that comes to one initialises it, the others wait until it is done.
 *
 * As pthread_once: the guard is an atomic, and who initialises has a mutex of the same address. What an exception leaves uninitialised the next one tries
 * again.
 *
 * Invariant. The first byte of the guard is 1 if and only if the local is initialised, as the C++ library has it. */
#include "threads.h"

static u8 *done_of(u64 at) { return (u8 *)at; }

static struct xc_sync *mutex_of(u64 at) { return xc_sync_of(at, XC_SYNC_MUTEX); }

static void unlock(u64 at) {
  xc_visible(XC_DO_UNLOCK, at, 0, 0, 0, 1, 0);
  mutex_of(at)->owner = mutex_of(at)->count = 0;
}

int __cxa_guard_acquire(u64 *guard) {
  u64 at = (u64)guard;
  if (!xc_threads_running()) return !*done_of(at);
  if (mutex_of(at)->owner == XC_SELF->task + 1) xc_fail_abort("a static local is initialised while it is being initialised");
  xc_visible(XC_DO_LOAD, at, 0, *done_of(at), 1, 1, XC_FULL_ORDER);
  if (*done_of(at)) return 0;
  xc_visible(XC_DO_LOCK, at, 0, 0, 0, 1, 0);
  mutex_of(at)->owner = XC_SELF->task + 1;
  mutex_of(at)->count = 1;
  if (!*done_of(at)) return 1;
  unlock(at);
  return 0;
}

void __cxa_guard_release(u64 *guard) {
  u64 at = (u64)guard;
  if (xc_threads_running()) xc_visible(XC_DO_STORE, at, 0, *done_of(at), 1, 1, XC_FULL_ORDER);
  *done_of(at) = 1;
  if (xc_threads_running()) unlock(at);
}

void __cxa_guard_abort(u64 *guard) {
  if (xc_threads_running()) unlock((u64)guard);
}
