//@ complete: yes
// xcute.h in C++: inputs in a method and in a template; main needs no return.
#include <cassert>
#include <xcute.h>

struct point { int x, y; };

template <class T> T ask() {
  T value;
  xcute_input(value);
  return value;
}

int main() {
  point p = ask<point>();
  short s = ask<short>();
  xcute_assume(p.x > 10);
  assert(p.x - p.y != s || s != 300);  //! assertion
}
