//@ args: --entry stock
//@ complete: yes
// The keys of a map are symbolic, and so is what is found.
#include <map>
#include <stdexcept>

int stock(int bought, int sold, bool fixed) {
  std::map<int, int> m;
  m[bought] = 1;
  m[10] = 3;
  if (m.size() == 1) return m.begin()->second;
  auto found = m.find(sold);
  if (fixed) return found == m.end() ? 0 : found->second;
  if (found == m.end()) return 0;
  m.erase(found);
  return m.at(10);  //! uncaught-exception
}
