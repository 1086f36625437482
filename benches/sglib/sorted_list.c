/* Sorted lists of SGLIB. */
#include <stdlib.h>
#include "sglib.h"

typedef struct ilist {
  int i;
  struct ilist *next;
} ilist;

static int compare(ilist *x, ilist *y) { return x->i < y->i ? -1 : x->i > y->i; }

SGLIB_DEFINE_SORTED_LIST_PROTOTYPES(ilist, compare, next)
SGLIB_DEFINE_SORTED_LIST_FUNCTIONS(ilist, compare, next)

struct holder { ilist *list; };

int is_sorted(const struct holder *h) {
  for (const ilist *p = h->list; p && p->next; p = p->next)
    if (p->i > p->next->i) return 0;
  return 1;
}

static ilist *make(int i) {
  ilist *made = calloc(1, sizeof *made);
  if (!made) exit(1);
  made->i = i;
  return made;
}

void add(struct holder *h, int i) { sglib_ilist_add(&h->list, make(i)); }
void add_if_not_member(struct holder *h, int i) { ilist *found; sglib_ilist_add_if_not_member(&h->list, make(i), &found); }
void delete(struct holder *h) { if (h->list) sglib_ilist_delete(&h->list, h->list); }
void delete_if_member(struct holder *h, int i) { ilist key = { i, NULL }, *found; sglib_ilist_delete_if_member(&h->list, &key, &found); }
int is_member(struct holder *h, int i) { ilist key = { i, NULL }; return sglib_ilist_is_member(h->list, &key); }
int find_member(struct holder *h, int i) { ilist key = { i, NULL }; return sglib_ilist_find_member(h->list, &key) != NULL; }
void sort(struct holder *h) { sglib_ilist_sort(&h->list); }
int len(struct holder *h) { return sglib_ilist_len(h->list); }

int iterate(struct holder *h) {
  struct sglib_ilist_iterator it;
  int n = 0;
  for (ilist *e = sglib_ilist_it_init(&it, h->list); e; e = sglib_ilist_it_next(&it)) n++;
  return n;
}

/* Elements like one, by the library's own comparison or by ours. */
int iterate_equal(struct holder *h, int i, _Bool own) {
  struct sglib_ilist_iterator it;
  ilist key = { i, NULL };
  int n = 0;
  for (ilist *e = sglib_ilist_it_init_on_equal(&it, h->list, own ? compare : NULL, &key); e; e = sglib_ilist_it_next(&it)) n += sglib_ilist_it_current(&it) == e;
  return n;
}
