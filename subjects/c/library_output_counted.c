//@ args: --entry show
//@ complete: yes
// The number of characters that were written comes back: it is computed where somebody looks at it.
#include <stdio.h>
#include <stdlib.h>

int show(int n, const char *name) {
  if (printf("%d\n", n) == 7) abort(); //! abort
  if (name && puts(name) == 4) abort(); //! abort
  return 0;
}
