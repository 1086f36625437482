//@ args: --entry fields --string 3
//@ complete: yes
// The corrected form: no token is empty or holds a separator, and all of them together are the text.
#include <stdlib.h>
#include <string.h>

int fields(const char *text) {
  if (!text) return 0;
  char a[8], *state, *rest = a;
  strcpy(a, text);
  size_t sum = 0;
  for (char *word = strtok_r(a, ";", &state); word; word = strtok_r(NULL, ";", &state)) {
    if (!*word || strchr(word, ';')) abort();
    sum += strlen(word);
  }
  if (sum > strlen(text)) abort();
  strcpy(a, text);
  sum = 0;
  for (char *word; (word = strsep(&rest, ";"));) sum += strlen(word) + 1;
  if (sum != strlen(text) + 1) abort();
  return 1;
}
