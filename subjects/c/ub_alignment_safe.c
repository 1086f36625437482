//@ args: --entry number --array bytes=12 --check ub
// The same by copying.
#include <string.h>

int number(const char *bytes, unsigned char at) {
  if (at > 8) return 0;
  int result;
  memcpy(&result, bytes + at, sizeof result);
  return result;
}
