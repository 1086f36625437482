/* Futexes, as the headers of libstdc++ use them: std::future, std::atomic::wait and the like.
 *
 * Invariant. Counts are those of threads/futex.c. */
#define _GNU_SOURCE
#include "replay.h"
#include "../common/futex.h"

/* Waits while the word is `value`; 0: the time is over. */
static int await(u32 *word, u32 value, const struct timespec *until) {
  u32 arm;
  if (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value) return 1;
  if (xcr_turn(&arm)) return *word != value;
  while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == value)
    if (!xcr_sleep(word, value, until)) return 0;
  return 1;
}

static int is_ours(long number, const long *with, long *result) {
  int operation = (int)with[1] & FUTEX_CMD_MASK;
  if (number != SYS_futex || !xcr_me || (operation != FUTEX_WAIT && operation != FUTEX_WAIT_BITSET)) return 0;
  u32 *word = (u32 *)with[0];
  const struct timespec *given = (const struct timespec *)with[3];
  struct timespec until = given && operation == FUTEX_WAIT ? xcr_after(given->tv_sec * 1000000000l + given->tv_nsec) : (struct timespec){0};
  int changed = *word == (u32)with[2] && await(word, (u32)with[2], operation == FUTEX_WAIT && given ? &until : given);
  *result = with_errno(changed ? 0 : *word == (u32)with[2] ? -ETIMEDOUT : -EAGAIN);
  return 1;
}

bool xc_futex_wait(void *self, u32 *word, u32 value, bool timed, int64_t seconds, int64_t nanoseconds) {
  struct timespec until = {seconds, nanoseconds};
  (void)self;
  return await(word, value, timed ? &until : 0);
}

void xc_futex_wake(void *self, u32 *word) {
  (void)self;
  xcr_wake(word);
}
