//@ args: --entry f
//@ paths: 4
//@ complete: yes
// ?: is a decision.
int f(int a, int b) {
  int x = a > 3 ? a : 3;
  int y = b ? x : -x;
  return x * y;
}
