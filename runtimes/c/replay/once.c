/* pthread_once: made here of a real mutex, because it is several operations.
 *
 * Invariant. Counts are those of threads/once.c. The word is the C library's: what it did before counts here, and the other way round. */
#define _GNU_SOURCE
#include "replay.h"

enum { DONE = 2, MUTEXES = 64 };
static pthread_mutex_t mutexes[MUTEXES] = {[0 ... MUTEXES - 1] = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};

static void turn(void) {
  u32 arm;
  xcr_turn(&arm);
}

static void unlock(pthread_mutex_t **mutex) {
  turn();
  REAL(pthread_mutex_unlock)(*mutex);
}

int pthread_once(pthread_once_t *control, void (*routine)(void)) {
  pthread_mutex_t *mutex = &mutexes[(u64)control / sizeof *control % MUTEXES];
  turn();
  if (__atomic_load_n(control, __ATOMIC_ACQUIRE) == DONE) {
    /* A sanitizer is to know that the routine came before. */
    REAL(pthread_mutex_lock)(mutex);
    REAL(pthread_mutex_unlock)(mutex);
    return 0;
  }
  turn();
  REAL(pthread_mutex_lock)(mutex);
  pthread_mutex_t *held __attribute__((cleanup(unlock))) = mutex;
  if (*control == DONE) return 0;
  routine();
  turn();
  __atomic_store_n(control, DONE, __ATOMIC_RELEASE);
  return 0;
}
