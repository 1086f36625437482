//@ args: --entry read --string 6
//@ complete: yes
// Text that is read by a format: the solver writes it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int read(const char *text) {
  if (!text) return 0;
  int a = 0, b = 0;
  char word[8] = "";
  if (sscanf(text, "%d,%2x", &a, &b) == 2 && a == -7 && b == 0x3c) abort(); //! abort
  if (sscanf(text, "v%1[0-9].%s", word, word) == 2 && !strcmp(word, "it")) abort(); //! abort
  return 1;
}
