//@ args: --entry f
//@ complete: yes
//@ args: --entry f --cross-check
//@ complete: yes
// A char* is a string of bounded length.
#include <stdlib.h>

static int same(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

void f(const char *s) {
  if (s && same(s, "xcute")) abort(); //! abort
}
