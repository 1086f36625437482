/* Floating point: the failure needs x == 1.75. */
#include "bench.h"

int main(void) {
  double x;
  INPUT(x);
  if (x > 0.25 && x < 64.0)
    if (x * x == 3.0625)
      FAIL();
  return 0;
}
