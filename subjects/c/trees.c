//@ args: --entry f
//@ complete: yes
// A binary tree with a shared node.
#include <stdlib.h>

struct node {
  int key;
  struct node *left, *right;
};

void f(struct node *t) {
  if (!t || !t->left || !t->right) return;
  if (t->left->key < t->key && t->left == t->right) abort(); //! abort
}
