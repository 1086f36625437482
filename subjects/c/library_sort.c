//@ args: --entry median
//@ complete: yes
// The comparisons of qsort and bsearch are the program's own decisions; this one overflows.
#include <stdlib.h>

static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

void median(int x, int y, int z) {
  int all[3] = {x, y, z};
  qsort(all, 3, sizeof *all, order);
  if (all[0] > all[1]) abort(); //! abort
  int key = 7, *found = bsearch(&key, all, 3, sizeof *all, order);
  if (found == &all[2] && all[1] == -3) abort(); //! abort
}
