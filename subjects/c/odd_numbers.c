//@ args: --entry f
//@ complete: yes
// Numbers of more than one word: complex, vectors, 128 bits.
#include <complex.h>
#include <stdlib.h>

typedef int four __attribute__((vector_size(16)));

void f(double complex z, four v, __int128 wide) {
  if (creal(z) > 3 && cimag(z) < -1)
    if (v[2] == 17)
      if ((long)(wide >> 64) == 5 && (long)wide == 6) abort(); //! abort
}
