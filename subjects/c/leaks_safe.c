// Nothing is lost here: freed, reachable, or given to the caller. And without --leaks nothing of this would matter.
//@ args: --entry keep --leaks
//@ complete: yes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { struct node *next; int v; };
static struct node *kept;

static struct node *push(struct node *list, int v) {
  struct node *n = malloc(sizeof *n);
  if (!n) exit(1);
  n->next = list;
  n->v = v;
  return n;
}

struct node *keep(unsigned how, struct node *given) {
  struct node *list = push(push(NULL, 1), 2);
  printf("%u\n", how);
  if (how == 1) {
    kept = list;
  } else if (how == 2 && given) {
    given->next = list;
  } else if (how == 3) {
    return list->next->v == 1 ? list : NULL;
  } else {
    free(list->next);
    free(list);
  }
  return NULL;
}
