//@ args: --entry f
//@ complete: yes
//@ failures: 1
// A failure in a recursion is one, however deep it is.
#include <assert.h>

static void down(unsigned depth, int x) {
  if (depth) down(depth - 1, x);
  else assert(x != 3); //! assertion
}

void f(unsigned depth, int x) {
  if (depth < 6) down(depth, x);
}
