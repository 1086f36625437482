/* Futexes, as the headers of libstdc++ use them: std::future, std::atomic::wait, std::latch and the like.
 *
 * A wait for a word to change is a step that blocks while the word has its value; the atomic store that changes it lets it go on, so waking is no
 * step.
 *
 * Invariant. All other system calls are made as they are. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include "late.h"

/* Waits while the word is `value`; 0: the time is over. */
static int await(u32 *word, u32 value, int timed) {
  if (!xc_threads_running() || *word != value) return 1;
  if (timed && XC_SELF->timeouts < XC_TIMEOUTS) {
    xc_visible(XC_DO_LOAD, (u64)word, 0, *word, sizeof *word, 1, 0);
  } else {
    xc_await((u64)word, value, sizeof *word, timed ? XC_LATE : 0);
  }
  if (*word != value) return 1;
  XC_SELF->timeouts++;
  return 0;
}

static long system_call(long number, const long *with) {
  long result;
  register long a4 __asm__("r10") = with[3], a5 __asm__("r8") = with[4], a6 __asm__("r9") = with[5];
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(with[0]), "S"(with[1]), "d"(with[2]), "r"(a4), "r"(a5), "r"(a6)
                   : "rcx", "r11", "memory");
  return result;
}

long syscall(long number, ...) {
  long with[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; i++) with[i] = va_arg(list, long);
  va_end(list);
  u64 word = (u64)with[0];
  if (number == SYS_futex && XC_P->running == XC_YES && (word < XC_SHARED || word >= XC_SHARED + XC->size) && xc_threads_running()) {
    int op = (int)with[1] & FUTEX_CMD_MASK;
    if (op == FUTEX_WAIT || op == FUTEX_WAIT_BITSET) {
      int error = *(u32 *)word != (u32)with[2] ? EAGAIN : await((u32 *)word, (u32)with[2], with[3] != 0) ? 0 : ETIMEDOUT;
      if (!error) return 0;
      errno = error;
      return -1;
    }
    if (op == FUTEX_WAKE || op == FUTEX_WAKE_BITSET) return 1;
  }
  long result = system_call(number, with);
  if (result >= 0 || result < -4095) return result;
  errno = (int)-result;
  return -1;
}

/* std::__atomic_futex_unsigned_base, of which std::future is made: members, so the first argument is the object. */
bool xc_futex_wait(void *self, u32 *word, u32 value, bool timed, i64 seconds, i64 nanoseconds) __asm__(
    "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE");
bool xc_futex_wait_steady(void *self, u32 *word, u32 value, bool timed, i64 seconds, i64 nanoseconds) __asm__(
    "_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE");
void xc_futex_wake(void *self, u32 *word) __asm__("_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj");

bool xc_futex_wait(void *self, u32 *word, u32 value, bool timed, i64 seconds, i64 nanoseconds) {
  (void)self, (void)seconds, (void)nanoseconds;
  return await(word, value, timed);
}

bool xc_futex_wait_steady(void *self, u32 *word, u32 value, bool timed, i64 seconds, i64 nanoseconds) {
  return xc_futex_wait(self, word, value, timed, seconds, nanoseconds);
}

void xc_futex_wake(void *self, u32 *word) { (void)self, (void)word; }
