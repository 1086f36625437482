//@ args: --entry last --array p=n
//@ complete: yes
// The corrected form.
#include <string.h>

int last(const int *p, unsigned n, unsigned i) {
  int copy[8];
  if (n == 0) return 0;
  if (i < n && p[i] == 3) return p[n - 1];
  memcpy(copy, p, n * sizeof *p);
  return copy[0];
}
