// The same, where the index stays among the elements that were set.
//@ args: --entry pick
//@ paths: 2
//@ complete: yes
int pick(unsigned char i) {
  int t[4];
  t[0] = 1;
  t[2] = 3;
  if (t[i & 2] == 3) return 10;
  return 20;
}
