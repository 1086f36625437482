//@ complete: yes
// A program for CREST.
#include <crest.h>
#include <stdlib.h>

int main(void) {
  int a, b;
  unsigned char c;
  CREST_int(a);
  CREST_int(b);
  CREST_unsigned_char(c);
  if (a == 2 * b + c && c > 250)
    if (a + b == 3000 + c) abort(); //! abort
  return 0;
}
