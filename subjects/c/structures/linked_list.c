//@ args: --calls add,add_last,remove_first,remove_value,reverse,contains --length 3 --post is_list
//@ complete: yes
//@ args: --entry reverse --pre is_list
//@ args: --entry remove_value --pre is_list
//@ args: --entry keeps_length --pre is_list
// A singly linked list that ends in NULL. A list of more than four elements counts as endless.
#include <assert.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

int length(const struct node *list) {
  int n = 0;
  for (; list; list = list->next) n++;
  return n;
}

int is_list(const struct node *list) {
  int n = 0;
  for (; list && n <= 4; list = list->next) n++;
  return n <= 4;
}

static struct node *make(int value, struct node *next) {
  struct node *made = malloc(sizeof *made);
  if (!made) exit(1);
  made->value = value;
  made->next = next;
  return made;
}

struct node *add(struct node *list, int value) { return make(value, list); }

struct node *add_last(struct node *list, int value) {
  struct node **at = &list;
  while (*at) at = &(*at)->next;
  *at = make(value, NULL);
  return list;
}

struct node *remove_first(struct node *list) {
  return list ? list->next : NULL;
}

struct node *remove_value(struct node *list, int value) {
  for (struct node **at = &list; *at; at = &(*at)->next) {
    if ((*at)->value == value) {
      *at = (*at)->next;
      break;
    }
  }
  return list;
}

struct node *reverse(struct node *list) {
  struct node *reversed = NULL;
  while (list) {
    struct node *next = list->next;
    list->next = reversed;
    reversed = list;
    list = next;
  }
  return reversed;
}

int contains(const struct node *list, int value) {
  for (; list; list = list->next)
    if (list->value == value) return 1;
  return 0;
}

void keeps_length(struct node *list, int value) {
  int before = length(list), contained = contains(list, value);
  list = add_last(list, value);
  assert(length(list) == before + 1 && contains(list, value));
  list = remove_value(reverse(list), value);
  assert(length(list) == before && contains(list, value) == contained);
}
