/* pthread_once, and static locals of C++: made here of a real mutex, because they are several operations.
 *
 * Invariant. Counts are those of threads/once.c and threads/guard.c. The word is the C library's: what it did before counts here, and the other way round. */
#define _GNU_SOURCE
#include "replay.h"

enum { DONE = 2, MUTEXES = 4096 };
static struct { const void *of; pthread_mutex_t mutex; } mutexes[MUTEXES] = {
    [0 ... MUTEXES - 1] = {0, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP}};

/* The mutex that belongs to a word; with very many of them some have one together. */
static pthread_mutex_t *mutex_of(const void *word) {
  u64 at = (u64)word / 4 % MUTEXES;
  xcr_lock();
  for (u32 i = 0; i < MUTEXES && mutexes[at].of && mutexes[at].of != word; i++) at = (at + 1) % MUTEXES;
  if (!mutexes[at].of) mutexes[at].of = word;
  xcr_unlock();
  return &mutexes[at].mutex;
}

static void turn(void) {
  u32 arm;
  xcr_turn(&arm);
}

static void unlock(pthread_mutex_t **mutex) {
  turn();
  REAL(pthread_mutex_unlock)(*mutex);
}

int pthread_once(pthread_once_t *control, void (*routine)(void)) {
  pthread_mutex_t *mutex = mutex_of(control);
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

/* What the program calls instead of __cxa_guard_*, which a sanitizer defines itself. The first byte of a guard says whether the local is initialised, as
 * the C++ library has it. */
static int initialised(const void *guard) { return __atomic_load_n((const u8 *)guard, __ATOMIC_ACQUIRE); }

int xcr_guard_acquire(void *guard) {
  pthread_mutex_t *mutex = mutex_of(guard);
  turn();
  if (initialised(guard)) return 0;
  turn();
  REAL(pthread_mutex_lock)(mutex);
  if (mutex->__data.__count > 1) xcr_misuse("abort", "a static local is initialised while it is being initialised");
  if (!initialised(guard)) return 1;
  unlock(&mutex);
  return 0;
}

void xcr_guard_release(void *guard) {
  pthread_mutex_t *mutex = mutex_of(guard);
  turn();
  __atomic_store_n((u8 *)guard, 1, __ATOMIC_RELEASE);
  unlock(&mutex);
}

void xcr_guard_abort(void *guard) {
  pthread_mutex_t *mutex = mutex_of(guard);
  unlock(&mutex);
}
