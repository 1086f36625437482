//@ args: --entry make_and_free
//@ paths: 3
// An object of no bytes is freed like any other.
#include <stdlib.h>

void make_and_free(unsigned n) {
  if (n > 1) return;
  int *none = n ? malloc(0) : calloc(0, 4);
  free(none);
}
