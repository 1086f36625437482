//@ args: --length 2 --calls add,concat
//@ complete: yes
//@ bound: sequences of 2 calls
//@ args: --length 2 --pre is_there --calls add,concat
//@ complete: yes
//@ args: --length 2 --no-null --calls add,concat
//@ complete: yes
//@ args: --length 2 --calls make_stack,push,pop,drop
//@ complete: yes
//@ args: --length 3 --no-null --calls make_stack,push,pop,drop
//@ complete: yes
//@ args: --length 3 --calls insert,sum
//@ complete: yes
// A call may get NULL in the place of each of its objects, unless something forbids it. A list that is NULL when it is empty is so anyway.
#include <stdlib.h>

struct list { int n; int values[8]; };

int is_there(const struct list *l) { return l != 0; }

void add(struct list *l, int x) {
  if (l->n < 8) l->values[l->n++] = x; //! null-access if --length 2 --calls add
}

void concat(struct list *to, struct list *from) {
  for (int i = 0; i < from->n; i++) add(to, from->values[i]); //! null-access if --length 2 --calls add
}

struct stack { int n; int *values; };

struct stack *make_stack(void) { return calloc(1, sizeof(struct stack)); }

void push(struct stack *s, int x) {
  if (!s) return;
  int *more = realloc(s->values, (size_t)(s->n + 1) * sizeof *more);
  if (!more) return;
  s->values = more;
  more[s->n++] = x;
}

int pop(struct stack *s) {
  return s->n ? s->values[--s->n] : 0; //! null-access if --length 2 --calls make
}

void drop(struct stack *s) {
  if (s) free(s->values);
  free(s);
}

struct node { int value; struct node *next; };

struct node *insert(struct node *all, int value) {
  struct node *one = malloc(sizeof *one);
  if (!one) return all;
  *one = (struct node){value, all};
  return one;
}

int sum(const struct node *all) {
  int sum = 0;
  for (; all; all = all->next) sum += all->value;
  return sum;
}
