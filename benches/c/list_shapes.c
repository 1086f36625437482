/* A list whose shape is chosen by numbers, for tools that cannot make pointers. */
#include "bench.h"

struct cell {
  int value;
  struct cell *next;
};

static void visit(struct cell *list, int x) {
  if (x > 0 && list)
    if (list->value == 2 * x + 1)
      if (list->next == list)
        FAIL();
}

int main(void) {
  struct cell one = {0, 0}, two = {0, 0};
  int x, value, empty, shape;
  INPUT(x);
  INPUT(value);
  INPUT(empty);
  INPUT(shape);
  one.value = value;
  if (shape == 1)
    one.next = &one;
  else if (shape == 2)
    one.next = &two;
  visit(empty ? 0 : &one, x);
  return 0;
}
