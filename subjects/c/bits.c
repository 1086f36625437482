//@ args: --entry f
//@ complete: yes
//@ args: --entry f --cross-check
//@ complete: yes
// Shifts, rotations, population count, byte swap, overflow checks.
#include <stdint.h>
#include <stdlib.h>

void f(uint32_t x, int a, int b) {
  uint32_t r = (x << 7) | (x >> 25);
  int sum;
  if (r == 0x12345678)
    if (__builtin_popcount(x) == 13)
      if (__builtin_bswap32((uint32_t)a) == 0x0000002a)
        if (__builtin_add_overflow(a, b, &sum) && b < 800000000) abort();
  if (__builtin_clz(x | 1) == 4 && __builtin_ctz(x | 0x10000) == 9) abort(); //! abort
}
