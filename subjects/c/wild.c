//@ args: --entry f
//@ paths: 2
//@ complete: no
int f(long x) {
  if (x == 0x123456789) return *(int *)(x + 0x700000000000); //! wild-access
  return 0;
}
