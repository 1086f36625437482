/* Hashed containers of SGLIB, which hold lists. Elements are made apart, so that one can be added twice, as in the paper. */
#include <stdlib.h>
#include "sglib.h"

enum { SIZE = 3 };

typedef struct ilist {
  int i;
  struct ilist *next;
} ilist;

static int compare(ilist *x, ilist *y) { return x->i < y->i ? -1 : x->i > y->i; }

static unsigned hash(const ilist *e) { return (unsigned)e->i; }

SGLIB_DEFINE_LIST_PROTOTYPES(ilist, compare, next)
SGLIB_DEFINE_LIST_FUNCTIONS(ilist, compare, next)
SGLIB_DEFINE_HASHED_CONTAINER_PROTOTYPES(ilist, SIZE, hash)
SGLIB_DEFINE_HASHED_CONTAINER_FUNCTIONS(ilist, SIZE, hash)

struct table { ilist *lists[SIZE]; };

ilist *make(int i) {
  ilist *made = calloc(1, sizeof *made);
  if (!made) exit(1);
  made->i = i;
  return made;
}

void init(struct table *t) { sglib_hashed_ilist_init(t->lists); }
void add(struct table *t, ilist *e) { sglib_hashed_ilist_add(t->lists, e); }
void add_if_not_member(struct table *t, ilist *e) { ilist *found; sglib_hashed_ilist_add_if_not_member(t->lists, e, &found); }
void delete_if_member(struct table *t, int i) { ilist key = { i, NULL }, *found; sglib_hashed_ilist_delete_if_member(t->lists, &key, &found); }
void delete(struct table *t, ilist *e) { if (sglib_hashed_ilist_is_member(t->lists, e)) sglib_hashed_ilist_delete(t->lists, e); }
int is_member(struct table *t, ilist *e) { return sglib_hashed_ilist_is_member(t->lists, e); }
int find_member(struct table *t, int i) { ilist key = { i, NULL }; return sglib_hashed_ilist_find_member(t->lists, &key) != NULL; }

int iterate(struct table *t) {
  struct sglib_hashed_ilist_iterator it;
  int n = 0;
  for (ilist *e = sglib_hashed_ilist_it_init(&it, t->lists); e; e = sglib_hashed_ilist_it_next(&it)) n++;
  return n;
}

int iterate_equal(struct table *t, int i, _Bool own) {
  struct sglib_hashed_ilist_iterator it;
  ilist key = { i, NULL };
  int n = 0;
  for (ilist *e = sglib_hashed_ilist_it_init_on_equal(&it, t->lists, own ? compare : NULL, &key); e; e = sglib_hashed_ilist_it_next(&it)) n += sglib_hashed_ilist_it_current(&it) == e;
  return n;
}
