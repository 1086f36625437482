//@ args: --entry f
//@ complete: yes
// A union by value: the same bits seen in two ways.
#include <stdint.h>
#include <stdlib.h>

union word {
  uint32_t whole;
  uint8_t bytes[4];
};

void f(union word w) {
  if (w.bytes[0] == 0xef && w.bytes[3] == 0xde)
    if ((w.whole & 0x00ffff00) == 0x00adbe00) abort(); //! abort
}
