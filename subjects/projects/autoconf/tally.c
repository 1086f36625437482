#include "config.h"
#include "tally.h"

#include <ctype.h>

int tally_read(const char *text, struct tally *to) {
  int inside = 0;
  for (; *text; text++) {
    if (*text == '\n') to->lines++;
    int space = isspace((unsigned char)*text);
    if (!space && !inside) to->words++;
    inside = !space;
  }
  return to->words;
}

int tally_mean(const struct tally *of) { return of->words / of->lines; }
