/* Doubly linked lists of SGLIB; any element stands for its list. */
#include <assert.h>
#include <stdlib.h>
#include "sglib.h"

typedef struct dlist {
  int i;
  struct dlist *prev, *next;
} dlist;

static int compare(dlist *x, dlist *y) { return x->i < y->i ? -1 : x->i > y->i; }

SGLIB_DEFINE_DL_LIST_PROTOTYPES(dlist, compare, prev, next)
SGLIB_DEFINE_DL_LIST_FUNCTIONS(dlist, compare, prev, next)

struct holder { dlist *list; };

int is_sound(const struct holder *h) {
  for (const dlist *p = h->list; p && p->next; p = p->next)
    if (p->next->prev != p) return 0;
  for (const dlist *p = h->list; p && p->prev; p = p->prev)
    if (p->prev->next != p) return 0;
  return 1;
}

static dlist *make(int i) {
  dlist *made = calloc(1, sizeof *made);
  if (!made) exit(1);
  made->i = i;
  return made;
}

void add_before(struct holder *h, int i) { sglib_dlist_add_before(&h->list, make(i)); }
void add_after(struct holder *h, int i) { sglib_dlist_add_after(&h->list, make(i)); }
void add_if_not_member(struct holder *h, int i) { dlist *found; sglib_dlist_add_if_not_member(&h->list, make(i), &found); }
void add_first(struct holder *h, int i) { sglib_dlist_add(&h->list, make(i)); }
void add_before_if_not_member(struct holder *h, int i) { dlist *found; sglib_dlist_add_before_if_not_member(&h->list, make(i), &found); }
void add_after_if_not_member(struct holder *h, int i) { dlist *found; sglib_dlist_add_after_if_not_member(&h->list, make(i), &found); }
void to_first(struct holder *h) { h->list = sglib_dlist_get_first(h->list); }
void to_last(struct holder *h) { h->list = sglib_dlist_get_last(h->list); }
void concat(struct holder *h, struct holder *other) {
  int both = sglib_dlist_len(h->list) + sglib_dlist_len(other->list);
  sglib_dlist_concat(&h->list, other->list);
  other->list = NULL;
  assert(sglib_dlist_len(h->list) == both);
}
void delete(struct holder *h) { if (h->list) sglib_dlist_delete(&h->list, h->list); }
void delete_if_member(struct holder *h, int i) { dlist key = { i, NULL, NULL }, *found; sglib_dlist_delete_if_member(&h->list, &key, &found); }
int is_member(struct holder *h, int i) { dlist key = { i, NULL, NULL }; return sglib_dlist_is_member(h->list, &key); }
int find_member(struct holder *h, int i) { dlist key = { i, NULL, NULL }; return sglib_dlist_find_member(h->list, &key) != NULL; }
void sort(struct holder *h) { sglib_dlist_sort(&h->list); }
int len(struct holder *h) { return sglib_dlist_len(h->list); }
void reverse(struct holder *h) { sglib_dlist_reverse(&h->list); }

int iterate(struct holder *h) {
  struct sglib_dlist_iterator it;
  int n = 0;
  for (dlist *e = sglib_dlist_it_init(&it, h->list); e; e = sglib_dlist_it_next(&it)) n++;
  return n;
}

/* Elements like one, by the library's own comparison or by ours. */
int iterate_equal(struct holder *h, int i, _Bool own) {
  struct sglib_dlist_iterator it;
  dlist key = { i, NULL, NULL };
  int n = 0;
  for (dlist *e = sglib_dlist_it_init_on_equal(&it, h->list, own ? compare : NULL, &key); e; e = sglib_dlist_it_next(&it)) n += sglib_dlist_it_current(&it) == e;
  return n;
}
