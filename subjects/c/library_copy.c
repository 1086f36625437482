//@ args: --entry greet --string 6
//@ complete: yes
// Copies carry symbolic characters along.
#include <stdlib.h>
#include <string.h>

void greet(const char *name) {
  if (!name) return;
  char large[16];
  strcpy(large, "<");
  strcat(large, name);
  strncat(large, ">...", 1);
  char *copy = strdup(large);
  if (copy && strlen(copy) == 4 && copy[1] == 'x' && copy[2] == '>') abort(); //! abort
  free(copy);
}
