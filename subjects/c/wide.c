//@ args: --entry f
//@ paths: 3
//@ complete: yes
// Arithmetic of 128 bits.
#include <stdlib.h>

void f(unsigned long a, unsigned long b) {
  unsigned __int128 product = (unsigned __int128)a * b;
  if ((unsigned long)(product >> 64) == 7 && (a & 0xff) == 3) abort(); //! abort
}
