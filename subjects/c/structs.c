//@ args: --entry f
//@ complete: yes
// Structs by value: nested, with arrays and bit-fields.
#include <stdlib.h>

struct inner {
  short a[3];
  unsigned low : 3, high : 5;
  signed mark : 4;
};

struct outer {
  char tag;
  struct inner in;
  double weight;
};

void f(struct outer o, struct inner i) {
  if (o.tag == 'x' && o.in.a[2] == 77 && o.in.low == 5 && o.in.high == 17 && o.in.mark == -3 && i.a[0] == o.in.a[1] + 1) abort(); //! abort
}
