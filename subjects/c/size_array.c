//@ args: --entry last --array p=n
//@ complete: yes
// The array has n elements: there is none after the last.
int last(const int *p, unsigned n) {
  int sum = 0;
  for (unsigned i = 0; i < n; i++) sum += p[i];
  if (n == 4) sum += p[n]; //! out-of-bounds
  return sum;
}
