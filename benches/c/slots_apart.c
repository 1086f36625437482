/* As slots.c, but the smallest i and the smallest j are not equal. */
#include "bench.h"

int main(void) {
  int slots[8] = {0};
  int i, j;
  INPUT(i);
  INPUT(j);
  if (i < 1 || i > 7 || j < 4 || j > 7)
    return 0;
  slots[i] = 2;
  slots[j] = 3;
  if (slots[i] == 3)
    FAIL();
  return 0;
}
