/* Mutexes and spin locks. Only the outermost levels of a recursive mutex are operations; what fails at once is none.
 *
 * Invariant. What is called when its turn has come does not block: it did not when the order was recorded. Counts are those of
 * threads/mutex.c and threads/spin.c. */
#define _GNU_SOURCE
#include <errno.h>
#include <unistd.h>
#include "replay.h"

static int kind_of(pthread_mutex_t *m) { return m->__data.__kind; }
static int owned(pthread_mutex_t *m) { return m->__data.__owner == gettid(); }

/* Whether the C library answers at once: another level, or an error. */
static int at_once(pthread_mutex_t *m, int tries) {
  int kind = kind_of(m) & 3;
  return owned(m) && (kind == PTHREAD_MUTEX_RECURSIVE || (kind == PTHREAD_MUTEX_ERRORCHECK && !tries));
}

static void check_life(pthread_mutex_t *m) {
  if (kind_of(m) == -1) xcr_misuse("destroyed-in-use", "a mutex is used after it was destroyed");
}

static int turn(pthread_mutex_t *m) {
  u32 arm;
  check_life(m);
  int ordered = xcr_turn(&arm);
  check_life(m);
  return ordered;
}

int pthread_mutex_lock(pthread_mutex_t *m) {
  if (!at_once(m, 0)) turn(m);
  return REAL(pthread_mutex_lock)(m);
}

int pthread_mutex_trylock(pthread_mutex_t *m) {
  if (!at_once(m, 1)) turn(m);
  return REAL(pthread_mutex_trylock)(m);
}

/* Where the order holds it, the time is over if somebody else has the mutex. */
int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until) {
  if (at_once(m, 0) || !turn(m)) return REAL(pthread_mutex_timedlock)(m, until);
  int error = REAL(pthread_mutex_trylock)(m);
  return error == EBUSY ? xcr_timed_out(ETIMEDOUT, until) : error;
}

int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock, const struct timespec *until) {
  if (at_once(m, 0) || !turn(m)) return REAL(pthread_mutex_clocklock)(m, clock, until);
  int error = REAL(pthread_mutex_trylock)(m);
  return error == EBUSY ? xcr_timed_out(ETIMEDOUT, until) : error;
}

int pthread_mutex_unlock(pthread_mutex_t *m) {
  int kind = kind_of(m) & 3;
  check_life(m);
  if (!owned(m)) {
    if (kind == PTHREAD_MUTEX_RECURSIVE || kind == PTHREAD_MUTEX_ERRORCHECK) return REAL(pthread_mutex_unlock)(m);
    xcr_misuse("bad-unlock", m->__data.__owner ? "a mutex is unlocked that another thread has locked" : "a mutex is unlocked that is not locked");
  }
  if (kind != PTHREAD_MUTEX_RECURSIVE || m->__data.__count <= 1) turn(m);
  return REAL(pthread_mutex_unlock)(m);
}

int pthread_mutex_destroy(pthread_mutex_t *m) {
  turn(m);
  if (m->__data.__owner) xcr_misuse("destroyed-in-use", "a mutex is destroyed while it is locked");
  return REAL(pthread_mutex_destroy)(m);
}

int pthread_spin_lock(pthread_spinlock_t *s) {
  u32 arm;
  xcr_turn(&arm);
  return REAL(pthread_spin_lock)(s);
}

int pthread_spin_trylock(pthread_spinlock_t *s) {
  u32 arm;
  xcr_turn(&arm);
  return REAL(pthread_spin_trylock)(s);
}

int pthread_spin_unlock(pthread_spinlock_t *s) {
  u32 arm;
  xcr_turn(&arm);
  return REAL(pthread_spin_unlock)(s);
}
