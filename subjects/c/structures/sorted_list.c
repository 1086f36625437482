//@ args: --calls add,remove_value,contains,merge --length 3 --post is_sorted
//@ complete: yes
//@ args: --entry add --pre is_small
//@ args: --entry stays_sorted --pre is_small
//@ args: --entry merges --pre are_small
// A sorted list without duplicates.
#include <assert.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

int is_sorted(const struct node *list) {
  for (; list && list->next; list = list->next)
    if (list->value >= list->next->value) return 0;
  return 1;
}

/* The same with at most three elements. */
int is_small(const struct node *list) {
  int n = 0;
  for (const struct node *p = list; p; p = p->next)
    if (++n > 3) return 0;
  return is_sorted(list);
}

/* The first has at most one element. */
int are_small(const struct node *a, const struct node *b) {
  return is_small(a) && is_small(b) && (!a || !a->next);
}

struct node *add(struct node *list, int value) {
  struct node **at = &list;
  while (*at && (*at)->value < value) at = &(*at)->next;
  if (*at && (*at)->value == value) return list;
  struct node *made = malloc(sizeof *made);
  if (!made) exit(1);
  made->value = value;
  made->next = *at;
  *at = made;
  return list;
}

struct node *remove_value(struct node *list, int value) {
  struct node **at = &list;
  while (*at && (*at)->value < value) at = &(*at)->next;
  if (*at && (*at)->value == value) *at = (*at)->next;
  return list;
}

int contains(const struct node *list, int value) {
  while (list && list->value < value) list = list->next;
  return list && list->value == value;
}

/* Adds all of b to a. */
struct node *merge(struct node *a, const struct node *b) {
  for (; b; b = b->next) a = add(a, b->value);
  return a;
}

void stays_sorted(struct node *list, int value) {
  list = add(list, value);
  assert(is_sorted(list) && contains(list, value));
  list = remove_value(list, value);
  assert(is_sorted(list) && !contains(list, value));
}

void merges(struct node *a, const struct node *b, int value) {
  int in_either = contains(a, value) || contains(b, value);
  a = merge(a, b);
  assert(is_sorted(a) && contains(a, value) == in_either);
}
