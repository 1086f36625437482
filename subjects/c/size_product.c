//@ args: --entry table
//@ complete: no
// The product wraps around: the object is smaller than the loop thinks.
#include <stdlib.h>

int table(unsigned rows) {
  unsigned bytes = rows * 8u;
  long *t = malloc(bytes);
  if (!t || rows == 0) return 0;
  t[rows - 1 < 4 ? rows - 1 : 4] = 1; //! out-of-bounds
  free(t);
  return 1;
}
