//@ args: --entry f
//@ complete: no
//@ limit: steps
// More turns of a loop than a run may take, and then a failure: the uninstrumented program shows it.
#include <assert.h>

volatile unsigned turns;

void f(int x) {
  if (x != 5) return;
  while (turns < 2000000) turns++;
  assert(x != 5); //! assertion
}
