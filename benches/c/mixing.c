/* Bits of a hash decide: every branch is a question about multiplications, rotations and exclusive ors. */
#include "bench.h"

static unsigned mix(unsigned h, unsigned x) {
  h ^= x * 0x85ebca6bu;
  h = (h << 13) | (h >> 19);
  return h * 5 + 0xe6546b64u;
}

int main(void) {
  unsigned short a, b;
  unsigned char c;
  INPUT(a);
  INPUT(b);
  INPUT(c);
  unsigned h = mix(mix(mix(7, a), b), c);
  int ones = 0;
  for (int bit = 0; bit < 12; bit++) {
    if (h >> (2 * bit) & 1) ones++;
  }
  if (ones == 12 && (unsigned)a * b % 251 == c) FAIL();
  return 0;
}
