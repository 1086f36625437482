/* Barriers. A wait is two operations, which the C library's cannot be held between: they are made here, of a real mutex and a word.
 *
 * Invariant. Counts, and who is the serial thread, are those of threads/barrier.c. The mutex tells a sanitizer that whoever passes comes after
 * all who arrived. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include "replay.h"

enum { GONE = 0x676f6e65 };
struct barrier { u32 count, life, arrivals, passed; };
_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t), "it is kept in the memory of the program");
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct barrier *of(pthread_barrier_t *at) {
  struct barrier *barrier = (struct barrier *)at;
  if (barrier->life == GONE) xcr_misuse("destroyed-in-use", "a barrier is used after it was destroyed");
  return barrier;
}

int pthread_barrier_init(pthread_barrier_t *at, const pthread_barrierattr_t *attributes, unsigned count) {
  (void)attributes;
  if (!count || count > 0x7fffffff) return EINVAL;
  memset(at, 0, sizeof *at);
  ((struct barrier *)at)->count = count;
  return 0;
}

int pthread_barrier_wait(pthread_barrier_t *at) {
  struct barrier *barrier = of(at);
  u32 arm;
  if (!barrier->count) return EINVAL;
  xcr_turn(&arm);
  REAL(pthread_mutex_lock)(&mutex);
  u32 mine = ++of(at)->arrivals, end = (mine + barrier->count - 1) / barrier->count * barrier->count;
  if (mine == end) {
    __atomic_store_n(&barrier->passed, end, __ATOMIC_RELEASE);
    xcr_wake(&barrier->passed);
  }
  REAL(pthread_mutex_unlock)(&mutex);
  if (!xcr_turn(&arm)) {
    u32 passed;
    while ((passed = __atomic_load_n(&barrier->passed, __ATOMIC_ACQUIRE)) < end) xcr_sleep(&barrier->passed, passed, 0);
  }
  REAL(pthread_mutex_lock)(&mutex);
  REAL(pthread_mutex_unlock)(&mutex);
  return mine == end ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

int pthread_barrier_destroy(pthread_barrier_t *at) {
  struct barrier *barrier = of(at);
  u32 arm;
  if (barrier->arrivals) xcr_turn(&arm);
  if (of(at)->arrivals != barrier->passed) xcr_misuse("destroyed-in-use", "a barrier is destroyed while a thread waits at it");
  barrier->life = GONE;
  return 0;
}
