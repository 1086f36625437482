//@ args: --entry f
//@ complete: yes
// Functions of C99 that are inline and defined nowhere else: an unoptimised program does not link without their bodies.
#include <stdlib.h>

inline int twice(int x) { return 2 * x; }
__inline unsigned half(unsigned x) { return x / 2; }

void f(int x, unsigned y) {
  if (twice(x) == 84 && half(y) == 21) abort(); //! abort
}
