//@ args: --entry f
//@ complete: yes
// Conversions between integers and floats, with what they round.
#include <stdlib.h>

void f(float a, int i) {
  if ((int)a == 7 && a != 7.0f)
    if ((double)i / 4 == 2.75) abort(); //! abort
}
