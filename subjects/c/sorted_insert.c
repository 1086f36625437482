//@ args: --entry insert_keeps_order --pre sorted --depth 16
//@ complete: no
//@ limit: depth
// A sorted list stays sorted: no failure, because only sorted lists come in.
#include <stddef.h>
#include <xcute.h>

struct node {
  int key;
  struct node *next;
};

int sorted(const struct node *list) {
  for (; list && list->next; list = list->next)
    if (list->key > list->next->key) return 0;
  return 1;
}

void insert_keeps_order(struct node *list, int key) {
  struct node fresh = { key, NULL }, **at = &list;
  while (*at && (*at)->key < key) at = &(*at)->next;
  fresh.next = *at;
  *at = &fresh;
  xcute_assert(sorted(list));
}
