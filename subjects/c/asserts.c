//@ args: --entry f
//@ paths: 2
//@ complete: yes
#include <assert.h>

void f(int x) {
  assert(x * 3 != 21); //! assertion
}
