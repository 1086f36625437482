//@ args: --entry f
//@ complete: yes
// Pointers to pointers.
#include <stdlib.h>

void f(int **p) {
  if (p && *p && **p == 5) abort(); //! abort
}
