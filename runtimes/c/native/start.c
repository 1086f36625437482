/* The beginning of the program: our main, which calls the harness, and what programs say to xcute.
 *
 * Invariant. The program's own main keeps its name: the linker lets the system call ours (--wrap=main). */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include "native.h"

void xcute_harness(void);
void __lsan_do_leak_check(void) __attribute__((weak));

/* What calls left on the stack does not keep memory. */
__attribute__((noinline)) static void scrub(void) {
  volatile long room[2048], i, none = 0; /* an even number of words: no byte of the frame is left out */
  for (i = 0; i < 2048; i++) room[i] = none;
}

static int run(void) {
  int leaks = getenv("XCUTE_LEAKS") != 0;
  unsetenv("XCUTE_LEAKS");
  xcn_load();
  xcute_harness();
  /* Here the objects of the case are still in reach. */
  if (leaks && __lsan_do_leak_check) {
    scrub();
    __lsan_do_leak_check();
  }
  return 0;
}

int __wrap_main(void) { return run(); }
__attribute__((weak)) int main(void) { return run(); }

void __xcute_assume(int holds) {
  if (holds) return;
  dprintf(2, "xcute: an assumption does not hold\n");
  exit(3);
}

void __xcute_assert(int holds, const char *text, const char *file, int line) {
  if (holds) return;
  dprintf(2, "%s:%d: xcute_assert(%s) failed\n", file, line, text);
  abort();
}

/* Objects are as large as they should be already, and what a recorded run used was alive. */
void __xcute_bound(const void *array, unsigned long size) { (void)array, (void)size; }
int __xcute_alive(const void *at) {
  (void)at;
  return 1;
}
