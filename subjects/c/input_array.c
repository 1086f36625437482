//@ args: --entry f
//@ paths: 4
//@ complete: yes
// An array that the program itself makes an input.
#include <stdlib.h>
#include <xcute.h>

void f(void) {
  short a[3];
  xcute_input_array(a, 3);
  if (a[0] == 1)
    if (a[1] == a[0] + 1)
      if (a[2] == a[1] * 50) abort(); //! abort
}
