/* Readers-writer locks.
 *
 * Invariant. Counts are those of threads/rwlock.c. */
#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>
#include "replay.h"

static int writes(pthread_rwlock_t *l) { return l->__data.__cur_writer == gettid(); }
static u32 readers(pthread_rwlock_t *l) { return l->__data.__readers >> 3; }

static int turn(pthread_rwlock_t *l) {
  u32 arm;
  return !writes(l) && xcr_turn(&arm);
}

int pthread_rwlock_rdlock(pthread_rwlock_t *l) {
  turn(l);
  return REAL(pthread_rwlock_rdlock)(l);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *l) {
  turn(l);
  return REAL(pthread_rwlock_wrlock)(l);
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *l) {
  turn(l);
  return REAL(pthread_rwlock_tryrdlock)(l);
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *l) {
  turn(l);
  return REAL(pthread_rwlock_trywrlock)(l);
}

/* Where the order holds it, the time is over if it cannot be had now. */
int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *until) {
  if (!turn(l)) return REAL(pthread_rwlock_timedrdlock)(l, until);
  int error = REAL(pthread_rwlock_tryrdlock)(l);
  return error == EBUSY ? xcr_timed_out(ETIMEDOUT, until) : error;
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *until) {
  if (!turn(l)) return REAL(pthread_rwlock_timedwrlock)(l, until);
  int error = REAL(pthread_rwlock_trywrlock)(l);
  return error == EBUSY ? xcr_timed_out(ETIMEDOUT, until) : error;
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *until) {
  if (!turn(l)) return REAL(pthread_rwlock_clockrdlock)(l, clock, until);
  int error = REAL(pthread_rwlock_tryrdlock)(l);
  return error == EBUSY ? xcr_timed_out(ETIMEDOUT, until) : error;
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *until) {
  if (!turn(l)) return REAL(pthread_rwlock_clockwrlock)(l, clock, until);
  int error = REAL(pthread_rwlock_trywrlock)(l);
  return error == EBUSY ? xcr_timed_out(ETIMEDOUT, until) : error;
}

int pthread_rwlock_unlock(pthread_rwlock_t *l) {
  u32 arm;
  if (!writes(l) && !readers(l)) xcr_misuse("bad-unlock", "a thread unlocks a readers-writer lock that it does not have");
  xcr_turn(&arm);
  return REAL(pthread_rwlock_unlock)(l);
}

int pthread_rwlock_destroy(pthread_rwlock_t *l) {
  u32 arm;
  xcr_turn(&arm);
  if (l->__data.__cur_writer || readers(l)) xcr_misuse("destroyed-in-use", "a readers-writer lock is destroyed while a thread has it");
  return REAL(pthread_rwlock_destroy)(l);
}
