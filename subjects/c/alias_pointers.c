//@ args: --entry f
//@ complete: yes
//@ args: --entry f --cross-check
//@ complete: yes
// CUTE's section 4.1.6, first program: no condition compares the two pointers, yet they must be equal.
#include <stdlib.h>

void f(int *p, int *q) {
  if (!p || !q) return;
  *p = 0;
  *q = 1;
  if (*p == 1) abort(); //! abort
}
