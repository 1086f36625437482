//@ args: --entry handled
//@ complete: yes
// Exceptions of the library, caught and looked at; links of lists and maps are written by code without source.
#include <list>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

int handled(int k) {
  std::map<int, int> m{{1, 2}, {k, 3}, {5, 4}};
  std::list<int> l{1, 2, 3};
  l.push_front(k);
  l.remove(2);
  int sum = 0;
  for (auto &e : m) sum += e.second;
  for (int x : l) sum += x == k;
  try {
    std::vector<int> v(3);
    return v.at(static_cast<unsigned>(k)) + sum;
  } catch (const std::out_of_range &e) {
    if (std::string(e.what()).size() < 5 || sum == 0) throw;
    return k == 9 ? throw k : 1;  //! uncaught-exception
  }
}
