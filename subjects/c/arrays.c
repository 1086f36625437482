//@ args: --entry f --array p=3
//@ complete: yes
// Three equations over the elements of an array that a pointer leads to.
#include <stdlib.h>

void f(int *p) {
  if (!p) return;
  if (p[0] + p[1] == 10 && p[1] - p[2] == 3 && p[2] == 4) abort(); //! abort
}
