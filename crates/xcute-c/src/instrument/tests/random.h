/* Random numbers and texts, the same in every run. */
#include <string.h>

static unsigned long state = 1;

static unsigned roll(unsigned sides) {
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  return (unsigned)(state >> 33) % sides;
}

/* Strings of few different characters, so that they meet. */
static void text(char *to, unsigned most, const char *of) {
  unsigned length = roll(most + 1), kinds = (unsigned)strlen(of);
  for (unsigned i = 0; i < length; i++) to[i] = of[roll(kinds)];
  to[length] = 0;
}
