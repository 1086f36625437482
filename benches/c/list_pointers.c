/* A list that is an input itself. */
#include "bench.h"

struct cell {
  int value;
  struct cell *next;
};

void visit(struct cell *list, int x) {
  if (x > 0 && list)
    if (list->value == 2 * x + 1)
      if (list->next == list)
        FAIL();
}

#ifdef KLEE
int main(void) {
  struct cell cells[2], *list;
  int x;
  INPUT(x);
  INPUT(cells);
  INPUT(list);
  visit(list, x);
  return 0;
}
#endif
