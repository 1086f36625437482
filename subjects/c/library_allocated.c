//@ args: --entry label
//@ complete: yes
// asprintf and vasprintf allocate what they write: it is as symbolic as what goes to a buffer, and the caller has to free it.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *made(const char *format, ...) {
  char *text;
  va_list list;
  va_start(list, format);
  int n = vasprintf(&text, format, list);
  va_end(list);
  return n < 0 ? NULL : text;
}

int label(unsigned char n, unsigned char m) {
  char *text;
  if (asprintf(&text, "<%d>", n) == 5 && !strcmp(text, "<142>")) abort(); //! abort
  free(text);
  text = made("%02x", m);
  if (text && !strcmp(text, "b7")) abort(); //! abort
  free(text);
  return 0;
}
