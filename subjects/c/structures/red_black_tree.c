//@ args: --calls insert,remove_key,contains --length 4 --post is_red_black
//@ complete: yes
//@ args: --entry inserts --pre is_small
//@ args: --entry removes --pre is_small
// A red-black tree: insertion and removal from the bottom up.
#include <assert.h>
#include <stdlib.h>

struct tree {
  int key;
  _Bool red;
  struct tree *link[2];
};

static int is_red(const struct tree *t) { return t && t->red; }

/* The number of black nodes on every way down, or -1 if the tree is not sound or higher than `levels`; keys are between the bounds. */
static int black_height(const struct tree *t, int levels, const int *above, const int *below) {
  if (!t) return 0;
  if (!levels || (above && t->key <= *above) || (below && t->key >= *below)) return -1;
  if (t->red && (is_red(t->link[0]) || is_red(t->link[1]))) return -1;
  int left = black_height(t->link[0], levels - 1, above, &t->key);
  if (left < 0 || black_height(t->link[1], levels - 1, &t->key, below) != left) return -1;
  return left + !t->red;
}

int is_red_black(const struct tree *t) { return !is_red(t) && black_height(t, 99, NULL, NULL) >= 0; }

/* The same with at most three levels. */
int is_small(const struct tree *t) { return !is_red(t) && black_height(t, 3, NULL, NULL) >= 0; }

/* On which side of a node a key is. */
static int side_of(const struct tree *t, int key) {
  if (key < t->key) return 0;
  return 1;
}

static struct tree *rotate(struct tree *t, int to) {
  struct tree *up = t->link[!to];
  t->link[!to] = up->link[to];
  up->link[to] = t;
  t->red = 1;
  up->red = 0;
  return up;
}

static struct tree *rotate_twice(struct tree *t, int to) {
  t->link[!to] = rotate(t->link[!to], !to);
  return rotate(t, to);
}

static struct tree *insert_below(struct tree *t, int key) {
  if (!t) {
    t = calloc(1, sizeof *t);
    if (!t) exit(1);
    t->key = key;
    t->red = 1;
    return t;
  }
  if (key == t->key) return t;
  int side = side_of(t, key);
  struct tree *child = t->link[side] = insert_below(t->link[side], key);
  if (!is_red(child)) return t;
  if (is_red(t->link[!side])) {
    if (!is_red(child->link[0]) && !is_red(child->link[1])) return t;
    t->red = 1;
    t->link[0]->red = t->link[1]->red = 0;
  } else if (is_red(child->link[side])) {
    t = rotate(t, !side);
  } else if (is_red(child->link[!side])) {
    t = rotate_twice(t, !side);
  }
  return t;
}

struct tree *insert(struct tree *t, int key) {
  t = insert_below(t, key);
  t->red = 0;
  return t;
}

/* The way down on this side has lost a black node. */
static struct tree *balance(struct tree *t, int side, int *done) {
  struct tree *top = t, *sibling = t->link[!side];
  if (is_red(sibling)) {
    top = rotate(t, side);
    sibling = t->link[!side];
  }
  if (!is_red(sibling->link[0]) && !is_red(sibling->link[1])) {
    *done = t->red;
    t->red = 0;
    sibling->red = 1;
    return top;
  }
  int red = t->red;
  struct tree *up = is_red(sibling->link[!side]) ? rotate(t, side) : rotate_twice(t, side);
  up->red = red;
  up->link[0]->red = up->link[1]->red = 0;
  *done = 1;
  if (top == t) return up;
  top->link[side] = up;
  return top;
}

static struct tree *remove_below(struct tree *t, int key, int *done) {
  if (!t) {
    *done = 1;
    return t;
  }
  if (t->key == key) {
    if (!t->link[0] || !t->link[1]) {
      struct tree *child = t->link[0] ? t->link[0] : t->link[1];
      *done = t->red || is_red(child);
      if (child) child->red = 0;
      return child;
    }
    struct tree *heir = t->link[0];
    while (heir->link[1]) heir = heir->link[1];
    key = t->key = heir->key;
    t->link[0] = remove_below(t->link[0], key, done);
    return *done ? t : balance(t, 0, done);
  }
  int side = side_of(t, key);
  t->link[side] = remove_below(t->link[side], key, done);
  return *done ? t : balance(t, side, done);
}

struct tree *remove_key(struct tree *t, int key) {
  int done = 0;
  t = remove_below(t, key, &done);
  if (t) t->red = 0;
  return t;
}

int contains(const struct tree *t, int key) {
  while (t && t->key != key) t = t->link[side_of(t, key)];
  return t != NULL;
}

void inserts(struct tree *t, int key) {
  t = insert(t, key);
  assert(is_red_black(t) && contains(t, key));
}

void removes(struct tree *t, int key) {
  t = remove_key(t, key);
  assert(is_red_black(t) && !contains(t, key));
}
