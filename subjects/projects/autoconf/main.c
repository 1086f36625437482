#include "config.h"
#include "tally.h"

#include <stdio.h>
#include <stdlib.h>
#ifdef HAVE_UNISTD_H
#include <unistd.h>
#endif

int main(void) {
  struct tally all = {0, 0};
#ifdef HAVE_GETLINE
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, stdin) > 0) tally_read(line, &all);
  free(line);
#else
  char line[256];
  while (fgets(line, sizeof line, stdin)) tally_read(line, &all);
#endif
  /* A last line without an end is not counted: with words in it, this divides by zero. */
  if (all.words > 0) printf("%d words in a line\n", tally_mean(&all));
  return all.words == 0;
}
