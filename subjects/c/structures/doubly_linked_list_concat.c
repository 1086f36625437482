//@ args: --entry concat --pre are_lists
//@ args: --calls push,concat,pop --length 3 --no-null
// As in a published library: an empty list cannot be appended to one that is not.
#include <stdlib.h>

struct node {
  int value;
  struct node *prev, *next;
};

struct list {
  struct node *first;
};

static int is_list(const struct list *list) {
  if (!list || (list->first && list->first->prev)) return 0;
  int n = 0;
  for (const struct node *p = list->first; p; p = p->next)
    if (++n > 3 || (p->next && p->next->prev != p)) return 0;
  return 1;
}

int are_lists(const struct list *a, const struct list *b) {
  return is_list(a) && is_list(b) && a != b && (!a->first || a->first != b->first);
}

void push(struct list *list, int value) {
  struct node *made = calloc(1, sizeof *made);
  if (!made) exit(1);
  made->value = value;
  made->next = list->first;
  if (list->first) list->first->prev = made;
  list->first = made;
}

int pop(struct list *list) {
  if (!list->first) return 0;
  int value = list->first->value;
  list->first = list->first->next;
  if (list->first) list->first->prev = NULL;
  return value;
}

void concat(struct list *a, struct list *b) {
  if (!a->first) {
    a->first = b->first;
  } else {
    struct node *last = a->first;
    while (last->next) last = last->next;
    last->next = b->first;
    b->first->prev = last; //! null-access
  }
  b->first = NULL;
}
