//@ args: --entry lookup
//@ complete: yes
// Hashing integers and finding them again.
#include <unordered_map>

int lookup(int key, int other) {
  std::unordered_map<int, int> m;
  m[key] = 1;
  m[10] = 3;
  if (m.count(other) && other != 10) throw other;  //! uncaught-exception
  return static_cast<int>(m.size());
}
