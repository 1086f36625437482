//@ args: --entry f
//@ paths: 2
//@ complete: no
//@ limit: uninstrumented
// CUTE's section 4.3.4: a function without source runs concretely; its value is used, and the report says so.
unsigned htonl(unsigned);
#include <stdlib.h>

void f(unsigned x, unsigned y) {
  if (y == htonl(x) + 1000) abort(); //! abort
}
