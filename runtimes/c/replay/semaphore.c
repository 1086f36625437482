/* Semaphores without names.
 *
 * Invariant. Counts are those of threads/semaphore.c. */
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>
#include "replay.h"

static int turn(void) {
  u32 arm;
  return xcr_turn(&arm);
}

int sem_wait(sem_t *s) {
  turn();
  return REAL(sem_wait)(s);
}

int sem_trywait(sem_t *s) {
  turn();
  return REAL(sem_trywait)(s);
}

/* Where the order holds it, the time is over if there is no permit now. */
static int late(int result, const struct timespec *until) {
  if (result && errno == EAGAIN) errno = xcr_timed_out(ETIMEDOUT, until);
  return result;
}

int sem_timedwait(sem_t *s, const struct timespec *until) {
  return turn() ? late(REAL(sem_trywait)(s), until) : REAL(sem_timedwait)(s, until);
}

int sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *until) {
  return turn() ? late(REAL(sem_trywait)(s), until) : REAL(sem_clockwait)(s, clock, until);
}

int sem_post(sem_t *s) {
  turn();
  return REAL(sem_post)(s);
}

int sem_getvalue(sem_t *s, int *value) {
  turn();
  return REAL(sem_getvalue)(s, value);
}

int sem_destroy(sem_t *s) {
  turn();
  return REAL(sem_destroy)(s);
}
