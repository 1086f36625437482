/* Condition variables: who waits is kept in waiters.c, for the order says whom a signal wakes.
 *
 * A wait is two operations: it releases the mutex and joins the waiters; and, once it was woken, it takes the mutex again. When the order is
 * used up, it goes on as a wait does: until somebody wakes it, or until its time is over.
 *
 * Invariant. The mutex is a real one all the time. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "replay.h"

enum { GONE = 0x676f6e65 };

/* The condition's own memory says only whether it lives. */
static void check_life(const pthread_cond_t *condition) {
  if (*(const u32 *)condition == GONE) xcr_misuse("destroyed-in-use", "a condition variable is used after it was destroyed");
}

static int wait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  u32 arm, levels = (mutex->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE ? mutex->__data.__count : 1;
  struct xcr_waiter waiter = {condition, 0, 0};
  if (until && (until->tv_nsec < 0 || until->tv_nsec >= 1000000000)) return EINVAL;
  check_life(condition);
  if (mutex->__data.__owner != gettid()) {
    if ((mutex->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE || (mutex->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK) return EPERM;
    xcr_misuse("bad-unlock", "a thread waits for a condition with a mutex that it does not have");
  }
  xcr_turn(&arm);
  check_life(condition);
  xcr_lock();
  xcr_waiter_add(&waiter);
  xcr_unlock();
  for (u32 i = 0; i < levels; i++) REAL(pthread_mutex_unlock)(mutex);
  xcr_waiter_sleep(&waiter, until);
  for (u32 i = 0; i < levels; i++) REAL(pthread_mutex_lock)(mutex);
  pthread_testcancel();
  return until && !waiter.woken ? xcr_timed_out(ETIMEDOUT, until) : 0;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) { return wait(condition, mutex, 0); }

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  return wait(condition, mutex, until);
}

/* What is left of the time counts from now on: it may be of another clock. */
int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  if (clock == CLOCK_REALTIME || (xcr_me && !xcr_free)) return wait(condition, mutex, until);
  struct timespec now;
  clock_gettime(clock, &now);
  struct timespec then = xcr_after((until->tv_sec - now.tv_sec) * 1000000000 + until->tv_nsec - now.tv_nsec);
  return wait(condition, mutex, &then);
}

int pthread_cond_signal(pthread_cond_t *condition) {
  u32 arm = 0;
  check_life(condition);
  xcr_turn(&arm);
  check_life(condition);
  xcr_lock();
  xcr_waiter_wake(condition, arm);
  xcr_unlock();
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
  u32 arm;
  check_life(condition);
  xcr_turn(&arm);
  check_life(condition);
  xcr_lock();
  while (xcr_waiter_wake(condition, 0)) continue;
  xcr_unlock();
  return 0;
}

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
  (void)attributes;
  memset(condition, 0, sizeof *condition);
  return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition) {
  u32 arm;
  check_life(condition);
  xcr_turn(&arm);
  check_life(condition);
  xcr_lock();
  int waited = xcr_waited(condition);
  xcr_unlock();
  if (waited) xcr_misuse("destroyed-in-use", "a condition variable is destroyed while a thread waits for it");
  *(u32 *)condition = GONE;
  return 0;
}
