//@ args: --entry allocate
// new and delete, of arrays too.
#include <cassert>

struct pair { int a, b; pair() : a(1), b(2) {} };

int allocate(int k) {
  pair *p = new pair[3];
  p[1].b = k;
  int *n = new int(k);
  int sum = p[1].b + *n;
  delete n;
  delete[] p;
  assert(sum != 84);  //! assertion
  return sum > 10;
}
