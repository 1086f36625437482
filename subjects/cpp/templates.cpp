//@ args: --entry largest<int>
//@ paths: 8
//@ complete: yes
// An explicit instance of a template, in a namespace.
#include <cassert>

namespace pick {
template <class T> T largest(T a, T b, T c) {
  T m = a > b ? a : b;
  if (c > m) m = c;
  assert(m != T(1234));  //! assertion
  return m;
}
template int largest<int>(int, int, int);
}  // namespace pick
