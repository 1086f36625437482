//@ args: --entry f
//@ paths: 3
//@ complete: yes
// exit is an end like any other.
#include <stdlib.h>

void f(int x) {
  if (x == 1) exit(3);
  if (x == 2) abort(); //! abort
}
