//@ args: --entry show
//@ complete: no
//@ limit: uninstrumented
// The number of characters that were written is an output that comes back.
#include <stdio.h>

int show(int n) {
  if (printf("%d\n", n) == 3) return 1;
  return 0;
}
