//@ args: --entry shifts --check ub
//@ complete: yes
// The same within bounds.
int shifts(int op, int a, int n) {
  if (n < 0 || n > 31) return 0;
  switch (op) {
  case 0: return (int)(1u << n);
  case 1: return a >> n;
  case 2: return (int)((unsigned)a << 3);
  default: return 0;
  }
}
