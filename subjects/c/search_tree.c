//@ args: --entry insert_keeps_order
//@ complete: yes
// Inserts into a binary search tree, and checks the order afterwards. Equal keys go left in one place and right in the other.
#include <stddef.h>
#include <xcute.h>

struct tree {
  struct tree *left, *right;
  int key;
};

static int ordered(const struct tree *t, int low, int high) {
  if (t == NULL)
    return 1;
  if (t->key < low || t->key > high)
    return 0;
  return ordered(t->left, low, t->key - 1) && ordered(t->right, t->key, high);
}

static struct tree *insert(struct tree *t, struct tree *leaf) {
  if (t == NULL)
    return leaf;
  if (leaf->key <= t->key)
    t->left = insert(t->left, leaf);
  else
    t->right = insert(t->right, leaf);
  return t;
}

void insert_keeps_order(struct tree *t, int key) {
  struct tree leaf = {NULL, NULL, key};
  xcute_assume(key > -1000 && key < 1000);
  xcute_assume(t == NULL || (t->left == NULL && t->right == NULL));
  xcute_assume(ordered(t, -1000, 1000));
  xcute_assert(ordered(insert(t, &leaf), -1000, 1000)); //! assertion
}
