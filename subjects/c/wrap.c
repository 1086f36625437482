//@ args: --entry f
//@ paths: 3
//@ complete: yes
// Wrap-around is not a failure: what a run does is what the machine does.
#include <stdlib.h>

void f(unsigned char a, int b) {
  unsigned char sum = (unsigned char)(a + 100);
  if (sum < 50 && b + 1 < b) abort(); //! abort
}
