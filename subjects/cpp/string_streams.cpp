//@ args: --entry f
//@ complete: no
//@ limit: uninstrumented
// A string stream is filled by code without source: what comes out of it is not followed, and that is said.
#include <sstream>

int f(int x) {
  std::ostringstream out;
  out << x;
  return out.str() == "7" ? 1 : 0;
}
