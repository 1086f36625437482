//@ args: --entry twice
//@ complete: no
//@ limit: unsupported
//@ args: --entry read --string 2
//@ complete: no
//@ limit: uninstrumented
// Numbers of type long double are concrete: what depends on them is not explored, and that is said.
#include <stdlib.h>

int twice(int x) {
  long double d = x;
  return d * 2 == 14 ? 1 : 0;
}

int read(const char *text) { return text && strtold(text, 0) == 7 ? 1 : 0; }
