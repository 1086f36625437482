//@ args: --entry median
//@ complete: yes
// The corrected form: whatever the numbers, they are in order and each is found.
#include <stdlib.h>

static int order(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return x < y ? -1 : x > y;
}

void median(int x, int y, int z) {
  int all[3] = {x, y, z};
  qsort(all, 3, sizeof *all, order);
  if (all[0] > all[1] || all[1] > all[2]) abort();
  int *found = bsearch(&y, all, 3, sizeof *all, order);
  if (!found || *found != y) abort();
}
