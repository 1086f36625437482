//@ args: --entry take
//@ complete: no
//@ limit: unsupported
// More memory than runs have: another machine has it, and goes on.
#include <stdlib.h>

void take(int x) {
  char *p = malloc(2000000000ul);
  if (!p) return;
  if (x == 77) abort();
  free(p);
}
