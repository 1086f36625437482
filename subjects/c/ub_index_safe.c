//@ args: --entry cell --check ub
//@ complete: yes
// The same with the right limit, and an array of one element at the end of an object that is larger.
#include <stdlib.h>

static int table[4][8];
struct packet { int n; char data[1]; };

int cell(unsigned row, unsigned column) {
  if (row > 2 || column > 7) return 0;
  struct packet *p = calloc(1, sizeof *p + 7);
  int result = table[row][column] + p->data[column];
  free(p);
  return result;
}
