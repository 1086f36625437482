//@ args: --entry port --string 4
//@ complete: yes
// Numbers are read from symbolic text: the solver finds the digits.
#include <errno.h>
#include <stdlib.h>

int port(const char *text) {
  if (!text) return 0;
  char *end;
  long n = strtol(text, &end, 10);
  if (end != text && *end == 0 && n * 7 == 5383) abort(); //! abort
  if (atoi(text) == -42) abort(); //! abort
  if (text[0] == '0' && strtoul(text, NULL, 0) == 0x5a) abort(); //! abort
  return 1;
}
