#include "colours.h"

#include <assert.h>
#include <stdio.h>

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  int value = argv[1][0] == '#' ? colour_hex(argv[1] + 1) : colour_of(argv[1]);
  if (value < 0) return 1;
  assert(value <= 0xfff); /* four digits are too many */
  printf("%d %d %d\n", value >> 8, (value >> 4) & 15, value & 15);
  return 0;
}
