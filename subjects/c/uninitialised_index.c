// An input decides which element is read: can it be one that nobody set?
//@ args: --entry pick
//@ paths: 3
//@ complete: no
//@ limit: cut
int pick(unsigned char i) {
  int t[4];
  t[0] = 1;
  t[2] = 3;
  if (t[i & 3] == 3) return 10; //! uninitialised
  return 20;
}
