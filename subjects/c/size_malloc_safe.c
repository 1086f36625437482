//@ args: --entry fill
//@ complete: yes
// The corrected form.
#include <stdlib.h>

int fill(unsigned char n, unsigned char k) {
  char *p = malloc(n + 1);
  int *q = calloc(n, sizeof *q);
  if (!p || !q) return 0;
  if (k == 1 && n >= 5) p[5] = 1;
  if (k == 2) p[n] = 1;
  if (k == 3 && n > 3) q[3] = 1;
  if (k == 4 && n) q[n - 1] = q[0];
  free(p);
  free(q);
  return 1;
}
