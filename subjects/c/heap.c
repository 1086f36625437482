//@ args: --entry f
//@ paths: 3
//@ complete: yes
// Symbolic values live in the heap too; each run has a fresh one.
#include <stdlib.h>

static int *kept;

void f(int x, int y) {
  if (kept) abort();
  int *p = malloc(2 * sizeof *p);
  kept = p;
  p[0] = x;
  p[1] = y;
  p = realloc(p, 8 * sizeof *p);
  if (p[0] == 3 && p[1] == 4) abort(); //! abort
  free(p);
}
