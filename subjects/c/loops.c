//@ args: --entry f
//@ paths: 9
//@ complete: yes
// The number of turns depends on the input.
#include <stdlib.h>

int f(unsigned n) {
  int s = 0;
  if (n > 8) return -1;
  do s += (int)n;
  while (n-- > 1);
  if (s == 10) abort(); //! abort
  return s;
}
