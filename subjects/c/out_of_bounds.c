//@ args: --entry f
//@ complete: yes
// An index that is one too large.
static const int table[5] = { 1, 2, 3, 4, 5 };

int f(unsigned i) {
  if (i > 5) return 0;
  return table[i]; //! out-of-bounds
}
