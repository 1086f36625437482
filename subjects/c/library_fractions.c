//@ args: --entry price --string 4
//@ complete: no
//@ limit: uninstrumented
// Fractions are read exactly: the double is the one that the library makes. Texts such as "0x1" are read by the library itself.
#include <stdlib.h>

int price(const char *text) {
  if (!text || text[0] < '0' || text[0] > '9') return 0;
  char *end;
  double d = strtod(text, &end);
  if (end == text + 4 && *end == 0 && d == 0.35) abort(); //! abort
  if (d == 6e5) abort(); //! abort
  if (text[0] == '7' && strtof(text, NULL) == 7.1f) abort(); //! abort
  return 1;
}
