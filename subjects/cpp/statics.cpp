//@ args: --entry first
//@ paths: 3
//@ complete: yes
// Each run begins with fresh statics, global objects included.
#include <cassert>
#include <string>
#include <vector>

static std::string banner = std::string("global objects ") + "are built before the first run";

static int next() {
  static int n = [] { return 5; }();
  return ++n;
}

int first(int k) {
  static std::vector<int> seen;
  seen.push_back(k);
  assert(seen.size() == 1 && next() == 6 && next() == 7);
  banner += std::to_string(seen.size());
  assert(banner == "global objects are built before the first run1");
  if (k > 3) return 1;
  assert(k != 2);  //! assertion
  return 0;
}
