//@ args: --entry grow
//@ complete: no
// No memory is that large: malloc gives NULL, which nobody looked for. Sizes between 16 KiB and that are only sampled.
#include <stdlib.h>

int grow(unsigned long n) {
  char *p = malloc(n);
  if (n > 3) p[2] = 1; //! null-access
  free(p);
  return 0;
}
