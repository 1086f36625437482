//@ args: --entry short_ones --string 3
//@ complete: yes
//@ args: --entry long_ones --string 6
//@ complete: yes
//@ args: --entry only_long_ones --string 4
//@ complete: yes
//@ args: --entry parts --string 6
//@ complete: yes
// Options: which letters and names they are, what belongs to them, and where the other arguments go.
#define _GNU_SOURCE
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void short_ones(const char *first, const char *second) {
  char one[4], two[4], *arguments[] = {"program", one, two, NULL};
  int c, a = 0;
  if (!first || !second) return;
  strcpy(one, first);
  strcpy(two, second);
  opterr = 0;
  while ((c = getopt(3, arguments, "ab:")) != -1) {
    if (c == 'a') a = 1;
    if (c == 'b' && optarg[0] == 'x') abort(); //! abort if short_ones
    if (c == '?' && optopt == 'q') abort(); //! abort if short_ones
  }
  /* What is not an option comes last. */
  if (a && optind == 2 && arguments[2] == one) abort(); //! abort if short_ones
}

static int seen;
static const struct option names[] = {
  {"all", no_argument, NULL, 'a'}, {"size", required_argument, NULL, 's'}, {"mark", no_argument, &seen, 7}, {NULL, 0, NULL, 0}};

void long_ones(const char *word) {
  char text[9] = "--", *arguments[] = {"program", text, NULL};
  int index = -1;
  if (!word) return;
  strcpy(text + 2, word);
  opterr = 0;
  int c = getopt_long(2, arguments, "a", names, &index);
  if (c == 's' && !strcmp(optarg, "9")) abort(); //! abort if --entry long_ones
  if (c == 'a' && index == 0 && !word[2]) abort(); //! abort if --entry long_ones
  if (c == 0 && seen == 7) abort(); //! abort if --entry long_ones
}

void only_long_ones(const char *word) {
  char text[6] = "-", *arguments[] = {"program", text, NULL};
  if (!word) return;
  strcpy(text + 1, word);
  opterr = 0;
  if (getopt_long_only(2, arguments, "x", names, NULL) == 'a' && word[1]) abort(); //! abort if only_long_ones
}

void parts(const char *given) {
  char *const tokens[] = {"ro", "size", NULL};
  char text[8], *rest = text, *value;
  if (!given) return;
  strcpy(text, given);
  if (getsubopt(&rest, tokens, &value) == 1 && value && !strcmp(value, "4")) abort(); //! abort if parts
  if (*text && *rest && getsubopt(&rest, tokens, &value) == 0) abort(); //! abort if parts
}
