//@ args: --calls make,add,add_if_not_member,is_member --length 4 --steps 2000 --no-null --hang 500ms
// As in a published library: an element that is added twice points to itself, and the next search does not end.
#include <stdlib.h>

enum { SIZE = 3 };

struct node {
  unsigned key;
  struct node *next;
};

struct table {
  struct node *lists[SIZE];
};

struct node *make(unsigned key) {
  struct node *made = malloc(sizeof *made);
  if (!made) exit(1);
  made->key = key;
  made->next = NULL;
  return made;
}

int is_member(const struct table *table, unsigned key) {
  const struct node *p = table->lists[key % SIZE];
  while (p && p->key != key) p = p->next; //! hang
  return p != NULL;
}

void add(struct table *table, struct node *node) {
  struct node **list = &table->lists[node->key % SIZE];
  node->next = *list;
  *list = node;
}

int add_if_not_member(struct table *table, struct node *node) {
  if (is_member(table, node->key)) return 0;
  add(table, node);
  return 1;
}
