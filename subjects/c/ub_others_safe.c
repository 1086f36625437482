//@ args: --entry others --check ub
// The same within what is defined.
#include <string.h>

__attribute__((returns_nonnull)) static char *find(char *p, char *other, int there) {
  return there ? p : other;
}

__attribute__((nonnull)) static int measure(const char *p) { return (int)sizeof p; }

int others(int op, int n, double d, char *p) {
  char c = 1, other = 2;
  switch (op) {
  case 0: return d > -1e9 && d < 1e9 ? (int)d : 0;
  case 1: return n ? __builtin_clz(n) : 32;
  case 2: return find(&c, &other, n) != 0;
  case 3: return p ? measure(p) : 0;
  case 4: {
    if (n > 4 || n < 1) return 0;
    int a[n];
    a[0] = 1;
    return a[0];
  }
  case 5: {
    memset(&c, n & 1, 1);
    return *(_Bool *)&c;
  }
  default: return 0;
  }
}
