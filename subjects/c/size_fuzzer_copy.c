//@ complete: yes
// A copy of one byte too many.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char line[32];
  if (size < 3) return 0;
  memcpy(line, data, data[0] == 'L' ? size + 1 : size); //! out-of-bounds
  return line[0] == 'x';
}
