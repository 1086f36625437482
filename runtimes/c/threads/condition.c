/* Condition variables.
 *
 * A wait is two steps: it gives up the mutex and joins the waiters, then it takes the mutex again. Between them a signal takes it off the list of
 * waiters; a thread that is still on the list when it goes on woke up alone, spuriously or because its time was over.
 *
 * A timed wait may always be over: see late.h.
 *
 * Invariant. A fiber is on the list of a condition from its XC_DO_WAIT until a signal, or its own XC_DO_REACQUIRE. */
#include <errno.h>
#include <pthread.h>
#include "late.h"
#include "life.h"

static const char gone[] = "a condition variable is used after it was destroyed";

static struct xc_sync *condition_of(u64 address) { return xc_living(address, XC_SYNC_CONDITION, gone); }

/* How it may wake up without a signal. */
static u32 alone(int timed) {
  if (timed) return XC_SELF->timeouts < XC_TIMEOUTS ? XC_ALONE : XC_LATE;
  return XC_SELF->spurious < XC_THREADS->spurious ? XC_ALONE | XC_SPURIOUS : 0;
}

/* Waits once; whether somebody woke it. */
static int wait_once(u64 condition, u64 mutex, int timed) {
  struct xc_sync *held = xc_mutex_of(mutex);
  u32 levels;
  xc_visible(XC_DO_WAIT, condition, mutex, 0, 0, 1, 0);
  struct xc_sync *waiters = condition_of(condition);
  xc_mutex_give(held, &levels);
  xc_waiter_add(waiters);
  int cancelled = xc_cancel_begin(condition);
  xc_visible(XC_DO_REACQUIRE, condition, mutex, 0, 0, 1, cancelled ? XC_ALONE : alone(timed));
  int woken = !XC_SELF->waits;
  if (!woken) xc_waiter_remove(waiters, XC_SELF);
  xc_mutex_take(held, levels);
  xc_cancel_end(cancelled && !woken);
  return woken;
}

static int wait(pthread_cond_t *at, pthread_mutex_t *mutex, const struct timespec *until) {
  if (until && xc_wrong_time(until)) return EINVAL;
  if (!xc_threads_running()) return until ? ETIMEDOUT : 0;
  condition_of((u64)at);
  struct xc_sync *held = xc_mutex_of((u64)mutex);
  if (held->owner != XC_SELF->task + 1) {
    if (held->type == PTHREAD_MUTEX_ERRORCHECK || held->type == PTHREAD_MUTEX_RECURSIVE) return EPERM;
    xc_fail_sync(XC_CHECK_UNLOCK, "a thread waits for a condition with a mutex that it does not have");
  }
  pthread_testcancel();
  if (wait_once((u64)at, (u64)mutex, until != 0)) return 0;
  if (until) return xc_timed_out(ETIMEDOUT, until);
  XC_SELF->spurious++;
  return 0;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) { return wait(condition, mutex, 0); }

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  return wait(condition, mutex, until);
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  (void)clock;
  return wait(condition, mutex, until);
}

int pthread_cond_signal(pthread_cond_t *at) {
  if (!xc_threads_running()) return 0;
  struct xc_sync *condition = condition_of((u64)at);
  u32 arm = xc_visible(XC_DO_NOTIFY, (u64)at, 0, 0, 0, condition->n_waiters ? condition->n_waiters : 1, 0);
  xc_waiter_take(condition_of((u64)at), arm);
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t *at) {
  if (!xc_threads_running()) return 0;
  condition_of((u64)at);
  xc_visible(XC_DO_NOTIFY_ALL, (u64)at, 0, 0, 0, 1, 0);
  struct xc_sync *condition = condition_of((u64)at);
  while (xc_waiter_take(condition, 0)) {}
  return 0;
}

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
  (void)attributes;
  xc_born(condition, sizeof *condition);
  return 0;
}

int pthread_cond_destroy(pthread_cond_t *at) {
  if (!xc_threads_running()) return 0;
  condition_of((u64)at);
  xc_visible(XC_DO_NOTIFY_ALL, (u64)at, 0, 0, 0, 1, XC_DESTROYS);
  if (condition_of((u64)at)->n_waiters) xc_fail_sync(XC_CHECK_DESTROYED, "a condition variable is destroyed while a thread waits for it");
  *xc_word((u64)at, 0) = XC_GONE;
  return 0;
}
