//@ args: --entry read --string 4
//@ complete: yes
// The corrected form: what was matched is what was stored.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int read(const char *text) {
  if (!text) return 0;
  unsigned n = 1234;
  char word[3] = "";
  int end = -1, got = sscanf(text, "%2u%2s%n", &n, word, &end);
  if (got < 1 && n != 1234) abort();
  if (got >= 1 && n > 99 && text[0] != '-' && !strchr(" \t\n\v\f\r+", text[0])) abort();
  if (got == 2 && (strlen(word) > 2 || end > 4)) abort();
  return 1;
}
