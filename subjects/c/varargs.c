//@ args: --entry f
//@ paths: 2
//@ complete: yes
// Values that go through a variable argument list.
#include <stdarg.h>
#include <stdlib.h>

static long sum(int n, ...) {
  va_list ap;
  va_start(ap, n);
  long s = 0;
  for (int i = 0; i < n; i++) s += i == 1 ? (long)va_arg(ap, double) : va_arg(ap, int);
  va_end(ap);
  return s;
}

void f(int a, int b) {
  if (sum(3, a, 2.5, b) == 1000) abort(); //! abort
}
