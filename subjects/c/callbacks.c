//@ args: --entry run
//@ complete: yes
// Functions whose address the program never takes, called through pointers that are inputs; they write through pointers to locals.
#include <stdlib.h>

typedef int (*visit)(int *sum, int value);

static int add(int *sum, int value) {
  *sum += value;
  return *sum > 100;
}

int run(visit f, visit *g, int start) {
  int sum = start;
  if (!f || !g || !*g) return 0;
  if (f(&sum, 3) && (*g)(&sum, 4) && sum == 150) abort(); //! abort
  return sum;
}
