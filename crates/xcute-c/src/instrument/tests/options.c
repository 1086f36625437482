/* Compares the models of getopt.h, getsubopt, err.h and error.h with the library's own on random arguments: results, variables, the order of the arguments, and
 * what is printed. */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <error.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "random.h"

extern int xcm_getopt(int, char *const *, const char *);
extern int xcm___posix_getopt(int, char *const *, const char *);
extern int __posix_getopt(int, char *const *, const char *);
extern int xcm_getopt_long(int, char *const *, const char *, const struct option *, int *);
extern int xcm_getopt_long_only(int, char *const *, const char *, const struct option *, int *);
extern int xcm_getsubopt(char **, char *const *, char **);

enum { MOST = 7, STEPS = 24 };
struct record {
  int result[STEPS], at[STEPS], letter[STEPS], index[STEPS], argument[STEPS], flag, steps;
  char order[MOST], printed[4000];
};

static char words[MOST][12];
static char *arguments[MOST + 1];
static int flag, count;

/* Which byte of the arguments a pointer points to. */
static int place(const char *pointer) { return pointer ? (int)(pointer - words[0]) : -1; }

static int ask(int ours, int how, const char *letters, const struct option *longs, int *index) {
  switch (how) {
    case 0: return ours ? xcm_getopt(count, arguments, letters) : getopt(count, arguments, letters);
    case 1: return ours ? xcm___posix_getopt(count, arguments, letters) : __posix_getopt(count, arguments, letters);
    case 2: return ours ? xcm_getopt_long(count, arguments, letters, longs, index) : getopt_long(count, arguments, letters, longs, index);
    default: return ours ? xcm_getopt_long_only(count, arguments, letters, longs, index) : getopt_long_only(count, arguments, letters, longs, index);
  }
}

/* What is printed to standard error goes to a file. */
static FILE *printed;
static int kept_error;
static void catch(void) {
  fflush(stderr);
  rewind(printed);
  if (ftruncate(fileno(printed), 0)) exit(2);
  dup2(fileno(printed), 2);
}
static void caught(char *to, size_t room) {
  fflush(stderr);
  dup2(kept_error, 2);
  ssize_t n = pread(fileno(printed), to, room - 1, 0);
  to[n > 0 ? n : 0] = 0;
}

static void scan(int ours, int how, const char *letters, const struct option *longs, struct record *r) {
  memset(r, 0, sizeof *r);
  for (int i = 0; i < count; i++) arguments[i] = words[i];
  arguments[count] = NULL;
  flag = 0;
  optind = 0;
  optopt = 77;
  catch();
  for (; r->steps < STEPS; r->steps++) {
    int k = r->steps, index = -5;
    r->result[k] = ask(ours, how, letters, longs, &index);
    r->at[k] = optind;
    r->letter[k] = optopt;
    r->index[k] = index;
    r->argument[k] = place(optarg);
    if (r->result[k] == -1) break;
  }
  caught(r->printed, sizeof r->printed);
  r->flag = flag;
  for (int i = 0; i < count; i++) r->order[i] = (char)('0' + (arguments[i] - words[0]) / (int)sizeof words[0]);
}

static void options(void) {
  static const struct option longs[] = {{"all", no_argument, NULL, 'a'},      {"block", required_argument, NULL, 'b'}, {"colour", optional_argument, NULL, 'c'},
                                        {"block-size", required_argument, &flag, 7}, {"alloc", no_argument, NULL, 'a'},       {"b", no_argument, NULL, 1000},
                                        {"abc", no_argument, &flag, 9},        {NULL, 0, NULL, 0}};
  static const char *const all[] = {"ab:c::", "+ab:", "-ab:c", ":ab:c::", "+:b:", "abW;", "", "-:a"};
  static struct record theirs, ours;
  const char *letters = all[roll(8)];
  int how = (int)roll(4);
  count = 1 + (int)roll(MOST);
  opterr = roll(4) != 0;
  if (roll(4) == 0) setenv("POSIXLY_CORRECT", "1", 1);
  else unsetenv("POSIXLY_CORRECT");
  for (int i = 0; i < count; i++) {
    static const char *const odd[] = {"--", "-", "", "--all", "--al", "--block=3", "--block", "--b", "--col", "--colour=x", "--all=1", "-ab", "-bx", "-W", "-Wall", "--bl", "-abc", "--block-", "-c", "-cc", "x"};
    if (roll(3)) strcpy(words[i], odd[roll(sizeof odd / sizeof *odd)]);
    else text(words[i], 6, "-abcW=:;x");
  }
  scan(0, how, letters, longs, &theirs);
  scan(1, how, letters, longs, &ours);
  if (memcmp(&theirs, &ours, sizeof ours) == 0) return;
  printf("getopt %d with \"%s\" differs on", how, letters);
  for (int i = 0; i < count; i++) printf(" \"%s\"", words[i]);
  printf("\n");
  for (int k = 0; k <= theirs.steps || k <= ours.steps; k++)
    printf("  %d %d %d %d %d and %d %d %d %d %d\n", theirs.result[k], theirs.at[k], theirs.letter[k], theirs.index[k], theirs.argument[k], ours.result[k], ours.at[k],
           ours.letter[k], ours.index[k], ours.argument[k]);
  printf("  order %.*s and %.*s\n%s%s", count, theirs.order, count, ours.order, theirs.printed, ours.printed);
  exit(1);
}

static void suboptions(void) {
  static char *const tokens[] = {"ro", "rw", "size", "", NULL};
  char a[24] = "", b[24] = "", *rest_a = a, *rest_b = b, *value_a, *value_b;
  text(a, 20, "rowsize=,");
  if (roll(2)) strcpy(a, (const char *[]){"ro,size=3", "size,rw", "=x,ro", "ro=,rw"}[roll(4)]);
  memcpy(b, a, sizeof b);
  for (int i = 0; i < 12; i++) {
    int x = getsubopt(&rest_a, tokens, &value_a), y = xcm_getsubopt(&rest_b, tokens, &value_b);
    long at_a = value_a ? value_a - a : -1, at_b = value_b ? value_b - b : -1;
    if (x != y || rest_a - a != rest_b - b || at_a != at_b || memcmp(a, b, sizeof a)) {
      printf("getsubopt differs on \"%s\": %d %ld, %d %ld\n", a, x, at_a, y, at_b);
      exit(1);
    }
    if (!*rest_a) break;
  }
}

/* One of the functions that complain, in a process of its own if it ends it; the status, and what was printed. */
static int complain(int ours, int which, char *to, size_t room) {
  extern void xcm_warn(const char *, ...), xcm_warnx(const char *, ...), xcm_err(int, const char *, ...), xcm_errx(int, const char *, ...);
  extern void xcm_error(int, int, const char *, ...), xcm_error_at_line(int, int, const char *, unsigned, const char *, ...);
  int status = 0;
  catch();
  pid_t child = fork();
  if (child == 0) {
    errno = ENOENT;
    error_one_per_line = which == 9;
    switch (which) {
      case 0: (ours ? xcm_warn : warn)("%s %d", "text", 5); break;
      case 1: (ours ? xcm_warn : warn)(NULL); break;
      case 2: (ours ? xcm_warnx : warnx)("%s %d", "text", 5); break;
      case 3: (ours ? xcm_err : err)(3, "%c", 'x'); break;
      case 4: (ours ? xcm_errx : errx)(4, "%c", 'x'); break;
      case 5: (ours ? xcm_error : error)(0, EIO, "%s", "text"); break;
      case 6: (ours ? xcm_error : error)(6, 0, "%s", "text"); break;
      case 7: (ours ? xcm_error_at_line : error_at_line)(0, EIO, "file", 12, "%s", "text"); break;
      case 8: (ours ? xcm_error_at_line : error_at_line)(8, 0, NULL, 12, "%s", "text"); break;
      default:
        for (unsigned i = 0; i < 4; i++) (ours ? xcm_error_at_line : error_at_line)(0, 0, "file", i / 2, "%s", "text");
    }
    exit((int)error_message_count + 20 * (errno == ENOENT));
  }
  waitpid(child, &status, 0);
  caught(to, room);
  return status;
}

int main(int n, char **given) {
  printed = tmpfile();
  kept_error = dup(2);
  unsigned rounds = n > 1 ? (unsigned)atoi(given[1]) : 30000;
  for (unsigned i = 0; i < rounds; i++) {
    options();
    suboptions();
  }
  for (int which = 0; which < 10; which++) {
    char theirs[500], ours[500];
    int a = complain(0, which, theirs, sizeof theirs), b = complain(1, which, ours, sizeof ours);
    if (a != b || strcmp(theirs, ours)) {
      printf("complaint %d: %x \"%s\" and %x \"%s\"\n", which, (unsigned)a, theirs, (unsigned)b, ours);
      return 1;
    }
  }
  return 0;
}
