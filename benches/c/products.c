/* A chain of non-linear conditions with one solution: x = 150, y = 77, z = 10773. */
#include "bench.h"

int main(void) {
  int x, y, z;
  INPUT(x);
  INPUT(y);
  INPUT(z);
  if (x > 100 && x < 1000 && y > 0 && y < 10000 && z > 0 && z < 1000000)
    if (x * x - 4 * y == 22192)
      if (x * y - z == 777)
        if ((x ^ z) % 19 == (150 ^ 10773) % 19)
          if ((z & 0xff) == (10773 & 0xff))
            FAIL();
  return 0;
}
