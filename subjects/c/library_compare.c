//@ args: --entry command
//@ complete: yes
// Comparisons of the C library keep their arguments symbolic; a failure within them is the caller's.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct request {
  char name[4], mode[4];
};

int command(const char *word, struct request *r) {
  if (!r) return strcmp(word, "get") == 0; //! null-access
  if (strncmp(r->name, "put!", 4) != 0) return 0;
  if (memcmp(r->mode, "\1\2\377", 3) == 0) abort(); //! abort
  if (word && strcasecmp(word, "Del") == 0 && strncasecmp(word, "dE-", 2) == 0 && word[0] == 'D' && word[2] == 'L') abort(); //! abort
  return 1;
}
