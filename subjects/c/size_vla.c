//@ args: --entry local
//@ complete: yes
// An array whose length is an input.
int local(unsigned char n) {
  if (n == 0 || n > 9) return 0;
  int v[n];
  v[0] = 0;
  if (n > 3) v[n] = 1; //! out-of-bounds
  return v[0];
}
