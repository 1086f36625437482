//@ args: --entry testme
//@ paths: 5
//@ runs: 5
//@ complete: yes
// CUTE's Fig. 1: a list whose first cell holds 2x + 1 and points to itself.
#include <stdlib.h>

typedef struct cell {
  int v;
  struct cell *next;
} cell;

int f(int v) { return 2 * v + 1; }

int testme(cell *p, int x) {
  if (x > 0)
    if (p != NULL)
      if (f(x) == p->v)
        if (p->next == p)
          abort(); //! abort
  return 0;
}
