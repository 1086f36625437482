//@ args: --entry f
//@ complete: yes
// Bit-fields, constant members, anonymous members, by value and through a pointer.
#include <stdbool.h>
#include <stdlib.h>

struct flags {
  unsigned a : 3;
  int b : 5;
  unsigned long wide : 40;
  bool on : 1;
};

struct record {
  char tag;
  union {
    int i;
    double d;
  };
  struct flags flags;
  const int fixed;
};

void f(struct flags x, const struct record *p) {
  if (x.a == 5 && x.b == -3 && x.wide == 0x123456789 && x.on)
    if (p && p->tag == 'c' && p->d > 2 && p->flags.b == -1 && p->fixed == 9) abort(); //! abort
}
