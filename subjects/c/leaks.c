// Memory that is lost: a list that is only half freed, a pointer that is overwritten, one that goes out of scope.
//@ args: --entry lose --leaks
//@ complete: yes
#include <stdlib.h>
#include <string.h>

struct node { struct node *next; int v; };
static struct node *kept;
static char *name;

static struct node *push(struct node *list, int v) {
  struct node *n = malloc(sizeof *n); //! leak
  if (!n) exit(1);
  n->next = list;
  n->v = v;
  return n;
}

void lose(unsigned how, struct node *given) {
  struct node *list = push(push(push(NULL, 1), 2), 3);
  switch (how) {
    case 1: free(list); return; /* all but the first */
    case 2: kept = list; return; /* reachable */
    case 3:
      name = malloc(5); //! leak
      name = strdup("other");
      break;
    case 4:
      if (given) given->next = list; /* the caller has it now */
      else return;
      return;
    case 5: exit(0); /* still on the stack */
    case 6:
      free(calloc(3, 4));
      list = realloc(list, 400); //! leak
      list = NULL;
      return;
  }
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
}
