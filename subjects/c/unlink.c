//@ args: --entry unlink_value --runs 60
//@ complete: no
// Removes a value from a list. The author forgot that the list may be empty.
struct node {
  struct node *next;
  int value;
};

struct node *unlink_value(struct node *list, int value) {
  struct node *at = list;
  if (list->value == value) //! null-access
    return list->next;
  while (at->next) {
    if (at->next->value == value) {
      at->next = at->next->next;
      return list;
    }
    at = at->next;
  }
  return list;
}
