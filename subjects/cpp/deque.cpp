//@ args: --entry queue
//@ complete: yes
// deque, list and set.
#include <deque>
#include <list>
#include <set>

int queue(int k, bool fixed) {
  std::deque<int> d;
  for (int i = 0; i < 3; i++) d.push_back(i * k);
  d.pop_front();
  std::list<int> l{k, 3};
  l.sort();
  std::set<int> s{1, 5, k};
  if (s.size() == 2 && l.front() == 3) return d.at(fixed ? 1 : 2);  //! uncaught-exception
  return *s.rbegin();
}
