/* Ways to fail. A thread that is not the one whose failure is to be seen is held before it fails, as a slow one would be; when the order is used
 * up, or cannot be kept, it goes on and fails.
 *
 * Invariant. Whatever fails in the end fails as it would without us: by the C library's function, or by the same signal at the same place. What a
 * sanitizer stops is not held: its report is out by then. */
#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "replay.h"

void ___interceptor_free(void *at) __attribute__((weak));

void abort(void) {
  xcr_hold();
  REAL(abort)();
  __builtin_unreachable();
}

void __assert_fail(const char *expression, const char *file, unsigned line, const char *function) {
  xcr_hold();
  REAL(__assert_fail)(expression, file, line, function);
  __builtin_unreachable();
}

void __assert_perror_fail(int number, const char *file, unsigned line, const char *function) {
  xcr_hold();
  REAL(__assert_perror_fail)(number, file, line, function);
  __builtin_unreachable();
}

/* The instruction is executed again, and now it is fatal. */
static void on_fault(int number, siginfo_t *info, void *context) {
  (void)context;
  xcr_hold();
  signal(number, SIG_DFL);
  if (info->si_code <= 0) raise(number); /* somebody sent it */
}

__attribute__((constructor)) static void catch_faults(void) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
  if (!getenv("XCUTE_ORDER") || ___interceptor_free) return;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  for (u32 i = 0; i < sizeof faults / sizeof *faults; i++) sigaction(faults[i], &action, 0);
}
