//@ complete: yes
// A harness for libFuzzer or AFL++: its bytes are the input.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 6) return 0;
  if (data[0] == 'P' && data[1] == 'K') {
    unsigned length = data[2] | data[3] << 8;
    if (length == 0x1234 && (data[4] ^ data[5]) == 0x55) abort(); //! abort
  }
  return 0;
}
