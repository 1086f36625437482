//@ args: --entry split --string 6
//@ complete: yes
// Where a character or a word stands in a string is known symbolically.
#include <stdlib.h>
#include <string.h>

void split(const char *line) {
  if (!line) return;
  const char *equals = strchr(line, '=');
  if (equals && equals == strrchr(line, '=') && equals - line == 2 && strspn(line, "ab") == 2 && line[0] != line[1]) {
    if (strstr(equals, "on")) abort(); //! abort
  }
}
