//@ args: --calls make,add_after,add_before,unlink_node,concat --length 4 --post is_sound --no-null
//@ complete: yes
//@ args: --entry unlink_node --pre is_sound
//@ args: --entry concat --pre are_apart
// A doubly linked list; any of its nodes stands for it.
#include <stdlib.h>

struct node {
  int value;
  struct node *prev, *next;
};

/* Neighbours agree, in both directions; a list of more than four elements on one side counts as endless. */
int is_sound(const struct node *node) {
  int n = 0;
  for (const struct node *p = node; p; p = p->next)
    if (++n > 4 || (p->next && p->next->prev != p)) return 0;
  for (const struct node *p = node; p; p = p->prev)
    if (++n > 8 || (p->prev && p->prev->next != p)) return 0;
  return 1;
}

static const struct node *first(const struct node *node) {
  while (node && node->prev) node = node->prev;
  return node;
}

int are_apart(const struct node *a, const struct node *b) {
  return is_sound(a) && is_sound(b) && (!a || first(a) != first(b));
}

struct node *make(int value) {
  struct node *made = calloc(1, sizeof *made);
  if (!made) exit(1);
  made->value = value;
  return made;
}

void unlink_node(struct node *node) {
  if (!node) return;
  if (node->prev) node->prev->next = node->next;
  if (node->next) node->next->prev = node->prev;
  node->prev = node->next = NULL;
}

void add_after(struct node *place, struct node *node) {
  unlink_node(node);
  node->prev = place;
  node->next = place->next;
  if (place->next) place->next->prev = node;
  place->next = node;
}

void add_before(struct node *place, struct node *node) {
  unlink_node(node);
  node->next = place;
  node->prev = place->prev;
  if (place->prev) place->prev->next = node;
  place->prev = node;
}

/* Both as one list; nothing to do for nodes of one list. */
void concat(struct node *a, struct node *b) {
  if (!a || !b || first(a) == first(b)) return;
  while (a->next) a = a->next;
  while (b->prev) b = b->prev;
  a->next = b;
  b->prev = a;
}
