/* Threads of C11: those that begin and end.
 *
 * Invariant. Counts are those of threads/c11.c. */
#define _GNU_SOURCE
#include "../common/c11.h"
#include "replay.h"

int thrd_create(thrd_t *thread, thrd_start_t start, void *argument) {
  /* The result is the low half of a register; thrd_join cuts it off. */
  int error = pthread_create((pthread_t *)thread, 0, (void *(*)(void *))(u64)start, argument);
  return error == EAGAIN ? thrd_nomem : result_of(error);
}

int thrd_join(thrd_t thread, int *result) {
  void *value = 0;
  int error = xcr_join((pthread_t)thread, &value, result, sizeof *result);
  if (!error && result) *result = (int)(u64)value;
  return result_of(error);
}

_Noreturn void thrd_exit(int result) { pthread_exit((void *)(u64)(u32)result); }
