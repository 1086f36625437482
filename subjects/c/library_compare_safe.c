//@ args: --entry command
//@ complete: yes
// The corrected form: comparisons that are transitive, and no string that may be NULL.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int command(const char *word) {
  if (!word) return 0;
  if (strcmp(word, "get") == 0) {
    if (strlen(word) != 3 || strnlen(word, 2) != 2 || strcasecmp(word, "GET") != 0 || strncmp(word, "go", 1) != 0) abort();
    return 1;
  }
  if (memcmp(word, "", 1) == 0 && strlen(word) != 0) abort();
  return 0;
}
