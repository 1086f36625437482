//@ args: --prune interpolation
//@ complete: yes
//@ args: --prune interpolation -- -DLIMIT=29
//@ complete: yes
// Thirty turns of a loop with a decision in each: more than a thousand million paths, of which pruning runs a few dozen.
#include <xcute.h>

#ifndef LIMIT
#define LIMIT 30
#endif

int main(void) {
  int count = 0;
  for (int i = 0; i < 30; i++) {
    int x;
    xcute_input(x);
    if (x > 10) count = count + 1;
  }
  xcute_assert(count <= LIMIT); //! assertion if LIMIT=29
  return 0;
}
