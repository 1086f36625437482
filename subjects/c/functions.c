//@ args: --entry apply
//@ complete: yes
// A function pointer as input: NULL or any function of that type.
#include <stdlib.h>

static int twice(int x) { return 2 * x; }
static int minus(int x) { return -x; }
int (*const keep[])(int) = { twice, minus };

void apply(int (*op)(int), int x) {
  if (op == NULL) return;
  if (op(x) == 10 && x < 0) abort(); //! abort
}
