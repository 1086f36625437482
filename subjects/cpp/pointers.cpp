//@ args: --entry share
//@ complete: yes
// unique_ptr and shared_ptr.
#include <cassert>
#include <memory>

struct node { int value; std::shared_ptr<node> next; };

int share(int k, bool fixed) {
  auto p = std::make_unique<int>(k);
  auto n = std::make_shared<node>();
  auto q = n;
  n->next = std::make_shared<node>();
  n->next->value = k;
  if (*p == 3) p.reset();
  if (k > 9) n.reset();
  assert((k > 9) == (q.use_count() == 1));
  if (fixed && !p) return q->next->value;
  return *p;  //! null-access
}
