//@ args: --entry fields --string 4
//@ complete: yes
// Strings are taken apart where the solver puts the separators.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

int fields(const char *text) {
  if (!text) return 0;
  char a[8], b[8], c[8];
  strcpy(a, text);
  strcpy(b, text);
  stpncpy(c, text, sizeof c);
  char *first = strtok(a, ";"), *second = first ? strtok(NULL, ";") : NULL;
  if (second && strcmp(second, "to") == 0) abort(); //! abort
  char *rest = b, *one = strsep(&rest, ":");
  if (one && rest && !*one && !strcmp(rest, "x:y")) abort(); //! abort
  char *state, *word = strtok_r(c, " ,", &state);
  if (word && word == c + 3 && word[0] == 'q') abort(); //! abort
  if (memmem(text, strlen(text), "#!", 2) == text + 2) abort(); //! abort
  if (strcasestr(text, "zOo") == text + 1) abort(); //! abort
  return 1;
}
