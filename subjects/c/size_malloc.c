//@ args: --entry fill
//@ complete: yes
// The size of the object is an input: how large must it be?
#include <stdlib.h>

int fill(unsigned char n, unsigned char k) {
  char *p = malloc(n);
  if (!p) return 0;
  if (k == 1) p[5] = 1; //! out-of-bounds
  if (k == 2 && n > 2) p[n] = 1; //! out-of-bounds
  if (k == 3 && n == 77) abort(); //! abort
  free(p);
  return 1;
}
