//@ args: --entry regrow
//@ complete: yes
// A block that realloc makes smaller: what lay after its new end is gone.
#include <stdlib.h>

int regrow(unsigned char n) {
  if (n < 2 || n > 40) return 0;
  char *p = malloc(8);
  if (!p) return 0;
  p[7] = 'x';
  char *q = realloc(p, n);
  if (!q) return 0;
  if (n > 7 && q[7] != 'x') abort();
  q[8] = 1; //! out-of-bounds
  free(q);
  return 1;
}
