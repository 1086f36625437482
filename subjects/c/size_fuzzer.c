//@ complete: yes
// One byte too many, for every size.
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t i = 0;
  while (i < size && data[i] == '<') i++;
  return data[i] == '>'; //! out-of-bounds
}
