//@ args: --entry f
//@ complete: yes
//@ failures: 8
// Failures at one place are different ones where the callers are: through a helper, a function that ends everything, the columns of a line, a macro.
#include <assert.h>
#include <stdlib.h>

static void check(int holds) { assert(holds); } //! assertion
static void die(void) { abort(); } //! abort
#define BOTH(x, y) (10 / (x) + 20 / (y))

int f(unsigned which, int x, int y) {
  switch (which) {
  case 0: check(x != 5); return 0;
  case 1: check(x != 6); return 0;
  case 2: check(x != 7); check(x != 8); return 0;
  case 3: if (x == 9) die(); return 0;
  case 4: if (x == 10) die(); return 0;
  case 5: return x != -1 && y != -1 ? BOTH(x, y) : 0; //! division-by-zero
  default: return 0;
  }
}
