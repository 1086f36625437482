/* Models of getopt.h, and getsubopt.
 *
 * As the GNU C library has them: arguments that are not options are moved behind those that are, unless the options' text begins with + or -, or
 * POSIXLY_CORRECT is set; long options may be abbreviated. What is printed goes to standard error.
 *
 * **Invariant.** optarg, optind, opterr and optopt are the library's own variables. */
#define _GNU_SOURCE
#include "models.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

int MODEL(strcmp)(const char *a, const char *b);
size_t MODEL(strlen)(const char *s);
int MODEL(strncmp)(const char *a, const char *b, size_t n);
char *MODEL(strchr)(const char *s, int c);
int MODEL(unread_fprintf)(FILE *stream, const char *format, ...);

enum MODEL(order) { MOVED, UP_TO_FIRST, ONE_BY_ONE /* each as if it were the argument of an option 1 */ };

/* The scan: [first, last) are arguments that were skipped. */
static struct {
  int began;
  char *next; /* within an argument: the option that comes next */
  enum MODEL(order) order;
  int first, last;
  int letter; /* what optopt becomes after each call */
} MODEL(scan) = {.letter = '?'};

/* What is asked for; `complain`: errors are printed. */
struct MODEL(request) {
  int count;
  char **arguments;
  const char *letters;
  const struct option *longs;
  int *index;
  int long_only, complain;
};

static void MODEL(begin_scan)(struct MODEL(request) *r, int posix) {
  if (optind == 0) optind = 1;
  MODEL(scan).first = MODEL(scan).last = optind;
  MODEL(scan).next = NULL;
  MODEL(scan).began = 1;
  MODEL(scan).order = *r->letters == '-'                                  ? ONE_BY_ONE
                      : *r->letters == '+' || posix || getenv("POSIXLY_CORRECT") ? UP_TO_FIRST
                                                                          : MOVED;
}

static void MODEL(reverse)(char **of, int from, int to) {
  for (to--; from < to; from++, to--) {
    char *kept = of[from];
    of[from] = of[to];
    of[to] = kept;
  }
}

/* The options [last, optind) come before the skipped arguments [first, last). */
static void MODEL(exchange)(char **of) {
  int first = MODEL(scan).first, last = MODEL(scan).last;
  MODEL(reverse)(of, first, last);
  MODEL(reverse)(of, last, optind);
  MODEL(reverse)(of, first, optind);
  MODEL(scan).first += optind - last;
  MODEL(scan).last = optind;
}

static int MODEL(is_option)(const char *argument) { return argument[0] == '-' && argument[1] != 0; }

/* Whether it matters which of two options of one beginning is meant. */
static int MODEL(differ)(const struct MODEL(request) *r, const struct option *a, const struct option *b) {
  return r->long_only || a->has_arg != b->has_arg || a->flag != b->flag || a->val != b->val;
}

/* The long option that these characters name, or begin the name of; NULL: there is none. `unclear`: there are several. */
static const struct option *MODEL(find_long)(const struct MODEL(request) *r, const char *name, size_t length, int *unclear) {
  const struct option *found = NULL;
  for (const struct option *o = r->longs; o->name; o++)
    if (MODEL(strncmp)(name, o->name, length) == 0 && !o->name[length]) return o;
  for (const struct option *o = r->longs; o->name; o++) {
    if (MODEL(strncmp)(name, o->name, length) != 0) continue;
    if (!found) found = o;
    else if (MODEL(differ)(r, found, o)) *unclear = 1;
  }
  return found;
}

/* An option that cannot be: the next one is in another argument. */
static int MODEL(refuse_long)(char *rest, int letter) {
  MODEL(scan).next = rest;
  optind++;
  MODEL(scan).letter = letter;
  return '?';
}

static void MODEL(complain_unclear)(const struct MODEL(request) *r, const char *prefix, size_t length, const struct option *first) {
  const char *name = MODEL(scan).next;
  MODEL(unread_fprintf)(stderr, "%s: option '%s%s' is ambiguous; possibilities:", r->arguments[0], prefix, name);
  for (const struct option *o = r->longs; o->name; o++)
    if (MODEL(strncmp)(name, o->name, length) == 0 && (o == first || MODEL(differ)(r, first, o))) MODEL(unread_fprintf)(stderr, " '%s%s'", prefix, o->name);
  MODEL(unread_fprintf)(stderr, "\n");
}

/* The long option at `next`; -1: it is none, and may be a short one. */
static int MODEL(long_option)(struct MODEL(request) *r, const char *prefix) {
  const char *program = r->arguments[0];
  char *name = MODEL(scan).next;
  size_t length = 0;
  int unclear = 0;
  while (name[length] && name[length] != '=') length++;
  const struct option *found = MODEL(find_long)(r, name, length, &unclear);
  if (unclear) {
    if (r->complain) MODEL(complain_unclear)(r, prefix, length, found);
    return MODEL(refuse_long)(name + MODEL(strlen)(name), 0);
  }
  if (!found) {
    if (r->long_only && r->arguments[optind][1] != '-' && MODEL(strchr)(r->letters, *name)) return -1;
    if (r->complain) MODEL(unread_fprintf)(stderr, "%s: unrecognized option '%s%s'\n", program, prefix, name);
    return MODEL(refuse_long)(NULL, 0);
  }
  MODEL(scan).next = NULL;
  optind++;
  if (name[length] == '=') {
    if (!found->has_arg) {
      if (r->complain) MODEL(unread_fprintf)(stderr, "%s: option '%s%s' doesn't allow an argument\n", program, prefix, found->name);
      MODEL(scan).letter = found->val;
      return '?';
    }
    optarg = name + length + 1;
  } else if (found->has_arg == required_argument) {
    if (optind >= r->count) {
      if (r->complain) MODEL(unread_fprintf)(stderr, "%s: option '%s%s' requires an argument\n", program, prefix, found->name);
      MODEL(scan).letter = found->val;
      return *r->letters == ':' ? ':' : '?';
    }
    optarg = r->arguments[optind++];
  }
  if (r->index) *r->index = (int)(found - r->longs);
  if (!found->flag) return found->val;
  *found->flag = found->val;
  return 0;
}

static int MODEL(needs_argument)(const struct MODEL(request) *r, int c) {
  if (r->complain) MODEL(unread_fprintf)(stderr, "%s: option requires an argument -- '%c'\n", r->arguments[0], c);
  MODEL(scan).letter = c;
  return *r->letters == ':' ? ':' : '?';
}

static int MODEL(short_option)(struct MODEL(request) *r) {
  char c = *MODEL(scan).next++, *found = MODEL(strchr)(r->letters, c);
  int is_last = !*MODEL(scan).next;
  if (is_last) optind++;
  if (!found || c == ':' || c == ';') {
    if (r->complain) MODEL(unread_fprintf)(stderr, "%s: invalid option -- '%c'\n", r->arguments[0], c);
    MODEL(scan).letter = c;
    return '?';
  }
  if (*found == 'W' && found[1] == ';' && r->longs) {
    if (is_last && optind == r->count) return MODEL(needs_argument)(r, c);
    if (is_last) MODEL(scan).next = r->arguments[optind];
    r->long_only = 0;
    return MODEL(long_option)(r, "-W ");
  }
  if (found[1] != ':') return c;
  int result = c;
  if (!is_last) {
    optarg = MODEL(scan).next;
    optind++;
  } else if (found[2] != ':') {
    if (optind == r->count) result = MODEL(needs_argument)(r, c);
    else optarg = r->arguments[optind++];
  }
  MODEL(scan).next = NULL;
  return result;
}

/* Finds the next argument with options. 1: there is one, at optind; else `result` is what to return. */
static int MODEL(next_argument)(struct MODEL(request) *r, int *result) {
  if (MODEL(scan).last > optind) MODEL(scan).last = optind;
  if (MODEL(scan).first > optind) MODEL(scan).first = optind;
  if (MODEL(scan).order == MOVED) {
    if (MODEL(scan).first != MODEL(scan).last && MODEL(scan).last != optind) MODEL(exchange)(r->arguments);
    else if (MODEL(scan).last != optind) MODEL(scan).first = optind;
    while (optind < r->count && !MODEL(is_option)(r->arguments[optind])) optind++;
    MODEL(scan).last = optind;
  }
  if (optind != r->count && MODEL(strcmp)(r->arguments[optind], "--") == 0) {
    optind++;
    if (MODEL(scan).first != MODEL(scan).last && MODEL(scan).last != optind) MODEL(exchange)(r->arguments);
    else if (MODEL(scan).first == MODEL(scan).last) MODEL(scan).first = optind;
    MODEL(scan).last = optind = r->count;
  }
  *result = -1;
  if (optind == r->count) {
    if (MODEL(scan).first != MODEL(scan).last) optind = MODEL(scan).first;
    return 0;
  }
  if (MODEL(is_option)(r->arguments[optind])) return 1;
  if (MODEL(scan).order == UP_TO_FIRST) return 0;
  optarg = r->arguments[optind++];
  *result = 1;
  return 0;
}

static int MODEL(scan_next)(struct MODEL(request) *r, int posix) {
  int result;
  if (r->count < 1) return -1;
  optarg = NULL;
  if (optind == 0 || !MODEL(scan).began) MODEL(begin_scan)(r, posix);
  if (*r->letters == '-' || *r->letters == '+') r->letters++;
  r->complain = opterr && *r->letters != ':';
  if (!MODEL(scan).next || !*MODEL(scan).next) {
    if (!MODEL(next_argument)(r, &result)) return result;
    char *argument = r->arguments[optind];
    if (r->longs && argument[1] == '-') {
      MODEL(scan).next = argument + 2;
      return MODEL(long_option)(r, "--");
    }
    MODEL(scan).next = argument + 1;
    if (r->longs && r->long_only && (argument[2] || !MODEL(strchr)(r->letters, argument[1]))) {
      result = MODEL(long_option)(r, "-");
      if (result != -1) return result;
      MODEL(scan).next = argument + 1;
    }
  }
  return MODEL(short_option)(r);
}

static int MODEL(next_option)(struct MODEL(request) *r, int posix) {
  int result = MODEL(scan_next)(r, posix);
  if (r->count >= 1) optopt = MODEL(scan).letter;
  return result;
}

#define GETOPT(name, posix)                                                                                   \
  int MODEL(name)(int count, char *const *arguments, const char *letters) {                                   \
    return MODEL(next_option)(&(struct MODEL(request)){count, (char **)arguments, letters, NULL, NULL, 0, 0}, posix); \
  }
GETOPT(getopt, 0)
GETOPT(__posix_getopt, 1)

#define GETOPT_LONG(name, only)                                                                                             \
  int MODEL(name)(int count, char *const *arguments, const char *letters, const struct option *longs, int *index) {         \
    return MODEL(next_option)(&(struct MODEL(request)){count, (char **)arguments, letters, longs, index, only, 0}, 0);      \
  }
GETOPT_LONG(getopt_long, 0)
GETOPT_LONG(getopt_long_only, 1)

int MODEL(getsubopt)(char **rest, char *const *tokens, char **value) {
  char *name = *rest;
  size_t length = 0, end;
  if (!*name) return -1;
  while (name[length] && name[length] != ',' && name[length] != '=') length++;
  for (end = length; name[end] && name[end] != ',';) end++;
  *rest = name[end] ? name + end + 1 : name + end;
  int found = -1;
  for (int i = 0; tokens[i] && found < 0; i++)
    if (MODEL(strncmp)(name, tokens[i], length) == 0 && !tokens[i][length]) found = i;
  *value = found < 0 ? name : length != end ? name + length + 1 : NULL;
  name[end] = 0;
  return found;
}
