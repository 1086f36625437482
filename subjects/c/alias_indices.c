//@ args: --entry f
//@ complete: yes
// CUTE's section 4.1.6, second program.
#include <stdlib.h>

void f(int i, int j) {
  int a[8] = { 0 };
  if (i < 0 || i >= 8 || j < 0 || j >= 8) return;
  a[i] = 0;
  a[j] = 1;
  if (a[i] == 1) abort(); //! abort
}
