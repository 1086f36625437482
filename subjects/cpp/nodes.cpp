//@ args: --entry Node::sum
//@ complete: yes
// Objects that hold objects, by pointer; nobody deletes them twice.
struct Node {
  int value;
  Node *next;
  Node(int value, Node *next) : value(value), next(next) {}
  ~Node() { delete next; }
  int sum(bool fixed) const {
    if (value != 5 || !next) return value;
    return fixed ? 0 : 10 / (next->value - 6);  //! division-by-zero
  }
};
