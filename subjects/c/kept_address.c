//@ args: --entry lookup
//@ paths: 3
//@ complete: yes
// The address of an element stays exact when it is handed on: a list of a hash table is found by a function of its own.
struct entry {
  int key;
  struct entry *next;
};

static struct entry first = { 5, 0 }, second = { 7, 0 };
static struct entry *table[3] = { &first, 0, &second };

static struct entry **list_of(unsigned key) { return &table[key % 3]; }

int lookup(unsigned key) {
  struct entry **list = list_of(key);
  if (!*list) return 0;
  return (*list)->key;
}
