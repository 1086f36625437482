/* Atomic sections: a real mutex keeps one from another. All else is kept out by the order, as long as there is one.
 *
 * Invariant. Counts are those of section.c. Who waits for an assumption does not have the mutex. */
#define _GNU_SOURCE
#include "replay.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static __thread u32 depth;

void xcr_section_begin(void) {
  u32 arm;
  if (depth++) return;
  if (xcr_concurrent) xcr_turn(&arm);
  REAL(pthread_mutex_lock)(&mutex);
}

void xcr_section_end(void) {
  if (!depth || --depth) return;
  REAL(pthread_mutex_unlock)(&mutex);
}

void xcr_section_leave(void) {
  if (depth) REAL(pthread_mutex_unlock)(&mutex);
}

void xcr_section_enter(void) {
  if (depth) REAL(pthread_mutex_lock)(&mutex);
}
