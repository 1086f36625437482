//@ args: --entry price --string 3
//@ complete: yes
// The corrected form: no digit means more than it says.
#include <stdlib.h>

int price(const char *text) {
  if (!text || text[0] < '1' || text[0] > '9') return 0;
  double d = atof(text);
  if (text[1] == '.' && (d < text[0] - '0' || d >= text[0] - '0' + 1)) abort();
  if (text[1] == 0 && d != text[0] - '0') abort();
  return 1;
}
