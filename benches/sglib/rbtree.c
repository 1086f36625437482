/* Red-black trees of SGLIB. */
#include <assert.h>
#include <stdlib.h>
#include "sglib.h"

typedef struct rbtree {
  int n;
  char color;
  struct rbtree *left, *right;
} rbtree;

static int compare(rbtree *x, rbtree *y) { return x->n < y->n ? -1 : x->n > y->n; }

SGLIB_DEFINE_RBTREE_PROTOTYPES(rbtree, left, right, color, compare)
SGLIB_DEFINE_RBTREE_FUNCTIONS(rbtree, left, right, color, compare)

struct holder { rbtree *tree; };

/* The number of black nodes on every way down, or -1. In SGLIB 1 is red. Equal keys are allowed. */
static int black_height(const rbtree *t, int levels, const int *above, const int *below) {
  if (!t) return 0;
  if (!levels || (above && t->n < *above) || (below && t->n > *below)) return -1;
  if (t->color != 0 && t->color != 1) return -1;
  if (t->color && ((t->left && t->left->color) || (t->right && t->right->color))) return -1;
  int left = black_height(t->left, levels - 1, above, &t->n);
  if (left < 0 || black_height(t->right, levels - 1, &t->n, below) != left) return -1;
  return left + !t->color;
}

int is_red_black(const struct holder *h) {
  return (!h->tree || !h->tree->color) && black_height(h->tree, 99, NULL, NULL) >= 0;
}

/* At most three levels, and no key twice: a node cannot be in the tree twice. */
static int is_strict(const rbtree *t, const int *above, const int *below) {
  if (!t) return 1;
  if ((above && t->n == *above) || (below && t->n == *below)) return 0;
  return is_strict(t->left, above, &t->n) && is_strict(t->right, &t->n, below);
}

int is_small(const rbtree *t) {
  return (!t || !t->color) && black_height(t, 3, NULL, NULL) >= 0 && is_strict(t, NULL, NULL);
}

static rbtree *make(int n) {
  rbtree *made = calloc(1, sizeof *made);
  if (!made) exit(1);
  made->n = n;
  return made;
}

void add(struct holder *h, int n) { sglib_rbtree_add(&h->tree, make(n)); }
void add_if_not_member(struct holder *h, int n) { rbtree *found; sglib_rbtree_add_if_not_member(&h->tree, make(n), &found); }
void delete(struct holder *h) { if (h->tree) sglib_rbtree_delete(&h->tree, h->tree); }
void delete_if_member(struct holder *h, int n) { rbtree key = { n, 0, NULL, NULL }, *found; sglib_rbtree_delete_if_member(&h->tree, &key, &found); }
int find_member(struct holder *h, int n) { rbtree key = { n, 0, NULL, NULL }; return sglib_rbtree_find_member(h->tree, &key) != NULL; }

int iterate(struct holder *h) {
  struct sglib_rbtree_iterator it;
  int n = 0;
  for (rbtree *e = sglib_rbtree_it_init_inorder(&it, h->tree); e; e = sglib_rbtree_it_next(&it)) n++;
  return n + sglib_rbtree_len(h->tree);
}

int iterate_all_ways(struct holder *h, int n, _Bool own) {
  struct sglib_rbtree_iterator it;
  rbtree key = { n, 0, NULL, NULL };
  int count = sglib_rbtree_is_member(h->tree, h->tree ? h->tree : &key);
  for (rbtree *e = sglib_rbtree_it_init_preorder(&it, h->tree); e; e = sglib_rbtree_it_next(&it)) count++;
  for (rbtree *e = sglib_rbtree_it_init_postorder(&it, h->tree); e; e = sglib_rbtree_it_next(&it)) count++;
  for (rbtree *e = sglib_rbtree_it_init(&it, h->tree); e; e = sglib_rbtree_it_next(&it)) count++;
  for (rbtree *e = sglib_rbtree_it_init_on_equal(&it, h->tree, own ? compare : NULL, &key); e; e = sglib_rbtree_it_next(&it)) count += sglib_rbtree_it_current(&it) == e;
  sglib___rbtree_consistency_check(h->tree);
  return count;
}

void adds(rbtree *t, int n) {
  struct holder h = { t };
  add_if_not_member(&h, n);
  assert(is_red_black(&h));
}

void deletes(rbtree *t, int n) {
  struct holder h = { t };
  delete_if_member(&h, n);
  assert(is_red_black(&h));
}
