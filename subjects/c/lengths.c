//@ args: --entry sum --array p=n
//@ complete: yes
// The length of the array is another parameter.
#include <stdlib.h>

int sum(int *p, unsigned n) {
  if (!p) return 0;
  int s = 0;
  for (unsigned i = 0; i < n; i++) s += p[i];
  if (n == 3 && s == 99) abort(); //! abort
  return s;
}
