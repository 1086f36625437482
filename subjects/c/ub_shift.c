//@ args: --entry shifts --check ub
//@ complete: yes
// Shifts by too much or by a negative number, and shifts that push bits out of a signed integer.
int shifts(int op, int a, int n) {
  switch (op) {
  case 0: return n >= 0 ? 1u << n != 0 : 0; //! bad-shift
  case 1: return n < 32 ? a >> n : 0; //! bad-shift
  case 2: return a << 3; //! bad-shift
  default: return 0;
  }
}
