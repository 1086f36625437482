//@ args: --entry f --array data=16
//@ complete: yes
// How many bytes are copied is an input: each number is a path, and so is the first one that does not fit.
#include <stdlib.h>
#include <string.h>

int f(const char *data, unsigned n) {
  char line[8];
  if (!data) return 0;
  memset(line, 0, sizeof line);
  memcpy(line, data, n); //! out-of-bounds
  if (strnlen(line, sizeof line) == 5 && line[4] == 'x') abort(); //! abort
  return line[0];
}
