//@ args: --calls make,add,add_if_not_member,remove_node,is_member --length 4 --steps 2000 --no-null
//@ complete: yes
// A hash table of lists that hold the elements themselves. Adding an element that is there already does nothing.
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

static struct node **list_of(struct table *table, unsigned key) { return &table->lists[key % SIZE]; }

void add(struct table *table, struct node *node) {
  struct node **list = list_of(table, node->key);
  for (const struct node *p = *list; p; p = p->next)
    if (p == node) return;
  node->next = *list;
  *list = node;
}

static struct node **find(struct table *table, unsigned key) {
  struct node **at = list_of(table, key);
  while (*at && (*at)->key != key) at = &(*at)->next;
  return at;
}

int is_member(struct table *table, unsigned key) { return *find(table, key) != NULL; }

int add_if_not_member(struct table *table, struct node *node) {
  if (is_member(table, node->key)) return 0;
  add(table, node);
  return 1;
}

void remove_node(struct table *table, struct node *node) {
  for (struct node **at = list_of(table, node->key); *at; at = &(*at)->next) {
    if (*at == node) {
      *at = node->next;
      node->next = NULL;
      return;
    }
  }
}
