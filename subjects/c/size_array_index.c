//@ args: --entry pick --array p=n
//@ complete: yes
// An index that may be the length of the array.
int pick(const int *p, unsigned n, unsigned i) {
  if (n < 3) return 0;
  return p[i <= n ? i : 0] == 7; //! out-of-bounds
}
