//@ args: --entry f
//@ paths: 2
//@ complete: yes
// A condition of assert: one number breaks it.
#include <assert.h>

void f(int x) {
  assert(x * 3 != 21); //! assertion
}
