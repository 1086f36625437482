//@ args: --entry Stack::push
//@ complete: yes
// The object is built by its constructors, with symbolic arguments; which one is used is an input, too.
#include <cassert>

class Stack {
  int items[3];
  int size = 0, limit;

public:
  Stack() : limit(3) {}
  explicit Stack(int limit) : limit(limit) {
    if (limit < 0 || limit > 3) this->limit = 0;
  }
  void push(int x) {
    if (size == limit) {
      assert(x != 7);  //! assertion
      return;
    }
    items[size++] = x;
  }
};
