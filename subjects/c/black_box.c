//@ args: --entry f
//@ paths: 2
//@ complete: no
//@ limit: uninstrumented
// Section 4.3.4: a function without source runs concretely; its value is used, and the report says so.
int toupper(int);
#include <stdlib.h>

void f(int x, int y) {
  if (y == toupper(x) + 1000) abort(); //! abort
}
