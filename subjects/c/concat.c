//@ args: --entry concat --pre is_list --depth 24
//@ complete: no
//@ limit: depth
// Doubly linked lists, only valid ones: appending an empty list crashes, as it did in a published library.
#include <stddef.h>

struct node {
  struct node *prev, *next;
};

int is_list(const struct node *a, const struct node *b) {
  const struct node *heads[] = { a, b };
  for (int i = 0; i < 2; i++) {
    if (heads[i] && heads[i]->prev) return 0;
    for (const struct node *n = heads[i]; n; n = n->next)
      if (n->next && n->next->prev != n) return 0;
  }
  return a == NULL || a != b;
}

struct node *concat(struct node *a, struct node *b) {
  struct node *last = a;
  if (!a) return b;
  while (last->next) last = last->next;
  last->next = b;
  b->prev = last; //! null-access
  return a;
}
