//@ args: --entry f
//@ paths: 10
//@ complete: yes
// Every integer width, signed and unsigned, compared exactly.
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

void f(bool b, signed char c, unsigned char uc, short s, unsigned short us, int i, unsigned u, long l, unsigned long ul) {
  if (!b) return;
  if (c != -100) return;
  if (uc != 200) return;
  if (s != -30000) return;
  if (us != 60000) return;
  if (i != -2000000000) return;
  if (u != 4000000000u) return;
  if (l != -9000000000000000000l) return;
  if (ul != 18000000000000000000ul) return;
  abort(); //! abort
}
