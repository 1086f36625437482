//@ args: --entry f
//@ paths: 2
//@ complete: yes
// CUTE's section 4.3.3: y == x * x + x % 2. CUTE replaces the right side by its value; here it is solved as it is.
#include <stdlib.h>

static int g(int x) { return x * x + (x % 2); }

void f(int x, int y) {
  int z = g(x);
  if (y == z) abort(); //! abort
}
