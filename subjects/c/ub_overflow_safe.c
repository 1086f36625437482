//@ args: --entry arithmetic --check ub
//@ paths: 14
//@ complete: yes
// The same without overflow: limits are looked at first, and unsigned integers and those that are promoted may do it.
#include <limits.h>

int arithmetic(int op, int a, int b, long wide) {
  unsigned u = (unsigned)a + (unsigned)b;
  short s = (short)a;
  switch (op) {
  case 0: return (int)(u * 3u - 5u);
  case 1: return a > -1000 && a < 1000 ? a * 3 - 7 : 0;
  case 2: return a == INT_MIN ? 0 : -a;
  case 3: s++; return s;
  case 4: return wide < LONG_MAX ? (int)(wide + 1) : 0;
  case 5: return b == 0 || (a == INT_MIN && b == -1) ? 0 : a / b;
  default: return 0;
  }
}
