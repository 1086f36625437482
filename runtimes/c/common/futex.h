/* Futexes, as the headers of libstdc++ use them: what is the same when a subject is explored and when it is replayed.
 *
 * Invariant. Included by one file of each runtime, which says what waiting is. All other system calls are made as they are. */
#include <linux/futex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include "system.h"

/* Whether this system call is the runtime's own business, and its result then. */
static int is_ours(long number, const long *with, long *result);

long syscall(long number, ...) {
  long with[6], result;
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; i++) with[i] = va_arg(list, long);
  va_end(list);
  return is_ours(number, with, &result) ? result : with_errno(system_call(number, with));
}

/* std::__atomic_futex_unsigned_base, of which std::future is made: the first argument is the object, but the last one is static. The object may be gone
 * when it is called. */
bool xc_futex_wait(void *self, u32 *word, u32 value, bool timed, int64_t seconds, int64_t nanoseconds) __asm__(
    "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE");
bool xc_futex_wait_steady(void *self, u32 *word, u32 value, bool timed, int64_t seconds, int64_t nanoseconds) __asm__(
    "_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE");
void xc_futex_wake(u32 *word) __asm__("_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj");

bool xc_futex_wait_steady(void *self, u32 *word, u32 value, bool timed, int64_t seconds, int64_t nanoseconds) {
  return xc_futex_wait(self, word, value, timed, seconds, nanoseconds);
}
