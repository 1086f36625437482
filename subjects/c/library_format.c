//@ args: --entry label --string 3
//@ complete: yes
// What is written is symbolic: the solver finds the number that has these digits.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int label(int n, unsigned char flags, const char *name) {
  char text[32];
  if (n < -999 || n > 9999) return 0;
  int length = snprintf(text, sizeof text, "<%d>", n);
  if (length == 6 && text[3] == '7' && text[4] == '3') abort(); //! abort
  if (strcmp(text, "<-42>") == 0) abort(); //! abort
  sprintf(text, "%02X|%o", flags, flags & 7);
  if (!memcmp(text, "B5", 2)) abort(); //! abort
  if (!name) return 0;
  if (snprintf(text, sizeof text, "%5s%c", name, '!') == 6 && text[2] == 'a' && text[3] == 'b') abort(); //! abort
  return 1;
}
