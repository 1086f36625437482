//@ args: --entry others --check ub
// Other behaviour that is not defined.
#include <string.h>

__attribute__((returns_nonnull)) static char *find(char *p, int there) {
  return there ? p : 0; //! undefined-behaviour
}

__attribute__((nonnull)) static int measure(const char *p) { return (int)sizeof p; }

int others(int op, int n, double d, char *p) {
  char c = 1;
  switch (op) {
  case 0: return (int)d; //! undefined-behaviour
  case 1: return __builtin_clz(n); //! undefined-behaviour
  case 2: return find(&c, n) != 0;
  case 3: return measure(p); //! undefined-behaviour
  case 4: {
    if (n > 4) return 0;
    int a[n]; //! undefined-behaviour
    a[0] = 1;
    return a[0];
  }
  case 5: {
    memset(&c, n & 3, 1);
    return *(_Bool *)&c; //! undefined-behaviour
  }
  default: return 0;
  }
}
