/* System calls, without the C library's function for them, which both runtimes replace.
 *
 * Invariant. system_call leaves errno alone. */
#ifndef XCUTE_SYSTEM_H
#define XCUTE_SYSTEM_H
#include <errno.h>

static inline long system_call(long number, const long *with) {
  long result;
  register long a4 __asm__("r10") = with[3], a5 __asm__("r8") = with[4], a6 __asm__("r9") = with[5];
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(with[0]), "S"(with[1]), "d"(with[2]), "r"(a4), "r"(a5), "r"(a6)
                   : "rcx", "r11", "memory");
  return result;
}

/* As the C library tells it. */
static inline long with_errno(long result) {
  if (result >= 0 || result < -4095) return result;
  errno = (int)-result;
  return -1;
}
#endif
