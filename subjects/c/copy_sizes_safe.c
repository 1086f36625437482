//@ args: --entry f --array data=16
//@ paths: 46
//@ complete: yes
// The corrected form of copy_sizes.c.
#include <string.h>

int f(const char *data, unsigned n) {
  char line[9];
  if (!data || n > 8) return 0;
  memset(line, 0, sizeof line);
  memcpy(line, data, n);
  return strlen(line) <= n;
}
