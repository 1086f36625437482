//@ args: --entry f
//@ paths: 3
//@ complete: yes
// CUTE's section 4.3.5: both errors are found, whatever the first condition fixed.
#include <stdlib.h>

void f(int x) {
  int z = x * x + (x % 2);
  if (z == 10) {
    abort(); //! abort
  }
  if (x == 10) {
    abort(); //! abort
  }
}
