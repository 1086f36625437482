//@ args: --entry f
//@ paths: 2
//@ complete: no
// An address that is made of a number.
int f(long x) {
  if (x == 0x123456789) return *(int *)(x + 0x700000000000); //! wild-access
  return 0;
}
