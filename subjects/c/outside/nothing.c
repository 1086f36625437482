//@ complete: no
//@ limit: no-input
//@ args: --entry twice
//@ complete: yes
//@ limit: no-input
//@ args: --entry asks
//@ complete: yes
// Nothing is an input: main has arguments, but they are not symbolic.
#include <stdlib.h>
#include <string.h>
#include "xcute.h"

int twice(void) { return 2 * 21; }

int asks(void) {
  int x;
  xcute_input(x);
  if (x == 7) abort(); //! abort if asks
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "x")) abort();
  return twice();
}
