//@ args: --entry f
//@ complete: yes
// A pointer to pointers, opaque bytes, an array that a pointer leads to.
#include <stdlib.h>

void f(int **pp, void *bytes, int (*grid)[2][3]) {
  const unsigned char *b = bytes;
  if (pp && *pp && **pp == 4)
    if (b && b[3] == 7 && b[15] == 9)
      if (grid && (*grid)[1][2] == 8) abort(); //! abort
}
