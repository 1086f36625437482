//@ args: --entry shrink
//@ complete: yes
// realloc to no bytes frees the object and gives NULL, where other sizes do not.
#include <stdlib.h>

int shrink(unsigned char n) {
  char *p = malloc(2);
  if (!p) return 0;
  p = realloc(p, n);
  if (p) p[5] = 1; //! out-of-bounds
  free(p);
  return 0;
}
