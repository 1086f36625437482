//@ args: --entry label --string 4
//@ complete: yes
// The corrected form: the text ends within its room, and reads back as the number.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int label(short n, const char *name) {
  char text[4];
  int length = snprintf(text, sizeof text, "%d", n);
  if (strlen(text) != (size_t)(length < 3 ? length : 3)) abort();
  if (length < 4 && atoi(text) != n) abort();
  if (name && snprintf(text, sizeof text, "%.2s", name) > 2) abort();
  return 1;
}
