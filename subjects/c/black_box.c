//@ args: --entry f
//@ paths: 2
//@ complete: no
//@ limit: uninstrumented
// Section 4.3.4: a function without source runs concretely; its value is used, and the report says so.
#include <stdlib.h>

long labs(long);

void f(long x, long y) {
  if (y == labs(x) + 10) abort(); //! abort
}
