//@ args: --entry scale(int)
//@ paths: 2
//@ complete: yes
// Overloads are distinguished by the types of their parameters.
#include <cassert>

namespace scales {
int scale(double x) { return static_cast<int>(x); }
int scale(int x) {
  assert(x != 41);  //! assertion
  return x + 1;
}
}  // namespace scales
