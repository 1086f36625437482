/* Two writes and a read at symbolic places: the failure needs i == j. */
#include "bench.h"

int main(void) {
  char slots[8] = {0};
  int i, j;
  INPUT(i);
  INPUT(j);
  if (i < 0 || i > 7 || j < 0 || j > 7)
    return 0;
  slots[i] = 2;
  slots[j] = 3;
  if (slots[i] == 3)
    FAIL();
  return 0;
}
