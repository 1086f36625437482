//@ args: --entry median
//@ complete: yes
// A vector is followed like the program itself: sorting, growing, access with and without checks.
#include <algorithm>
#include <vector>

int median(int a, int b, int c, bool checked) {
  std::vector<int> v{a, b};
  v.push_back(c);
  std::sort(v.begin(), v.end());
  if (v[0] == 3 && v[2] == 900) {
    if (checked && v.size() < 4) return v[1];
    return v.at(3);  //! uncaught-exception
  }
  return v[1];
}
