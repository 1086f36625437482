//@ args: --entry f --depth 12
//@ complete: no
//@ limit: depth
// Shapes: a list of three whose last cell points back to the second.
#include <stdlib.h>

struct node {
  struct node *next;
};

void f(struct node *p) {
  if (p && p->next && p->next->next && p->next->next->next == p->next && p->next != p && p->next->next != p->next) abort(); //! abort
  while (p) p = p->next;
}
