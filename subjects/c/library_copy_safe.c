//@ args: --entry greet --string 6
//@ complete: yes
// The corrected form: no more is copied than there is room for.
#include <stdlib.h>
#include <string.h>

void greet(const char *name) {
  if (!name) return;
  char small[6];
  strncpy(small, name, sizeof small);
  small[sizeof small - 1] = 0;
  if (strncmp(small, name, sizeof small - 1) != 0) abort();
}
