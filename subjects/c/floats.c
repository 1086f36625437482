//@ args: --entry f
//@ paths: 4
//@ complete: yes
// A number whose square is exactly 2.25.
#include <stdlib.h>

void f(double x) {
  if (x > 0.5 && x < 100.0)
    if (x * x == 2.25) abort(); //! abort
}
