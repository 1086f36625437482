/* Futexes, as the headers of libstdc++ use them: std::future, std::atomic::wait and the like.
 *
 * Invariant. Counts are those of threads/futex.c; all other system calls are made as they are. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include "replay.h"

/* Waits while the word is `value`; 0: the time is over. */
static int await(u32 *word, u32 value, const struct timespec *until) {
  u32 arm;
  if (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value) return 1;
  if (xcr_turn(&arm)) return *word != value;
  while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == value)
    if (!xcr_sleep(word, value, until)) return 0;
  return 1;
}

long syscall(long number, ...) {
  long with[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; i++) with[i] = va_arg(list, long);
  va_end(list);
  int operation = (int)with[1] & FUTEX_CMD_MASK;
  if (number == SYS_futex && xcr_me && (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET)) {
    u32 *word = (u32 *)with[0];
    const struct timespec *given = (const struct timespec *)with[3];
    struct timespec until = given && operation == FUTEX_WAIT ? xcr_after(given->tv_sec * 1000000000l + given->tv_nsec) : (struct timespec){0};
    if (*word == (u32)with[2] && await(word, (u32)with[2], operation == FUTEX_WAIT && given ? &until : given)) return 0;
    errno = *word == (u32)with[2] ? ETIMEDOUT : EAGAIN;
    return -1;
  }
  long result = xcr_system(number, with);
  if (result >= 0 || result < -4095) return result;
  errno = (int)-result;
  return -1;
}

/* std::__atomic_futex_unsigned_base, of which std::future is made: members, so the first argument is the object. */
bool xcr_futex_wait(void *self, u32 *word, u32 value, bool timed, int64_t seconds, int64_t nanoseconds) __asm__(
    "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE");
bool xcr_futex_wait_steady(void *self, u32 *word, u32 value, bool timed, int64_t seconds, int64_t nanoseconds) __asm__(
    "_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE");
void xcr_futex_wake(void *self, u32 *word) __asm__("_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj");

bool xcr_futex_wait(void *self, u32 *word, u32 value, bool timed, int64_t seconds, int64_t nanoseconds) {
  struct timespec until = {seconds, nanoseconds};
  (void)self;
  return await(word, value, timed ? &until : 0);
}

bool xcr_futex_wait_steady(void *self, u32 *word, u32 value, bool timed, int64_t seconds, int64_t nanoseconds) {
  return xcr_futex_wait(self, word, value, timed, seconds, nanoseconds);
}

void xcr_futex_wake(void *self, u32 *word) {
  (void)self;
  xcr_wake(word);
}
