/* Shares pieces among boxes and divides by zero; what the variables of `share` held there is part of the failure. */
#include <stdio.h>
#include <stdlib.h>

enum size { SMALL, LARGE };
struct order { int pieces; enum size size; char mark[4]; };

static int share(struct order order, int boxes) {
  int rest[2] = {order.pieces % 7, boxes};
  return order.pieces / (boxes - rest[0]); //! division-by-zero
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  struct order order = {atoi(argv[1]), LARGE, "ab"};
  printf("%d\n", share(order, 5));
  return 0;
}
