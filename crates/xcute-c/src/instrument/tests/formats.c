/* Compares the models that write and read formatted text, and fractions, with the library's own functions on random and odd inputs. */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

extern int xcm_snprintf(char *, size_t, const char *, ...);
extern int xcm_sprintf(char *, const char *, ...);
extern int xcm___isoc99_sscanf(const char *, const char *, ...);
extern double xcm_strtod(const char *, char **);
extern float xcm_strtof(const char *, char **);
extern double xcm_atof(const char *);

static _Noreturn void differ(const char *what, const char *a, const char *b, const char *c) {
  printf("%s differs on \"%s\": \"%s\" and \"%s\"\n", what, a, b, c);
  exit(1);
}

static long long number(void) {
  static const long long odd[] = {0, 1, -1, 9, 10, 99, 100, 4294967295, 4294967296, INT64_MAX, INT64_MIN, INT32_MIN, 1000000000, 9999999999};
  if (roll(3) == 0) return odd[roll(sizeof odd / sizeof *odd)];
  return (long long)((unsigned long)roll(1u << 31) << 33 ^ roll(1u << 31)) >> roll(63);
}

static char theirs[400], ours[400];

#define WRITTEN(spec, ...)                                                                  \
  do {                                                                                      \
    memset(theirs, '#', sizeof theirs - 1);                                                 \
    memset(ours, '#', sizeof ours - 1);                                                     \
    int a = snprintf(theirs, size, spec, __VA_ARGS__), b = xcm_snprintf(ours, size, spec, __VA_ARGS__); \
    if (a != b || memcmp(theirs, ours, sizeof ours)) differ("snprintf", spec, theirs, ours); \
  } while (0)

static void writing(void) {
  char spec[80];
  size_t size = roll(4) ? 300 : roll(20);
  char flags[8], width[8] = "", precision[8] = "";
  text(flags, 3, "-+ #0");
  if (roll(2)) snprintf(width, sizeof width, "%u", roll(30));
  if (roll(2)) snprintf(precision, sizeof precision, ".%u", roll(25));
  long long n = number();
  static const char *const lengths[] = {"hh", "h", "", "l", "ll", "j", "z", "t"};
  unsigned which = roll(8);
  snprintf(spec, sizeof spec, "<%%%s%s%s%s%c>%%d", flags, width, precision, lengths[which], "diuxXo"[roll(6)]);
  if (which < 3) WRITTEN(spec, (int)n, 7);
  else WRITTEN(spec, (long)n, 7);
  snprintf(spec, sizeof spec, "%%%s%s%s%c%%s", flags, width, precision, "feEgGaF"[roll(7)]);
  WRITTEN(spec, (double)n / 1024, "end");
  snprintf(spec, sizeof spec, "%%s%%%s%s%ss%%c%%%%", strchr(flags, '-') ? "-" : "", width, precision);
  const char *one = roll(2) ? "one" : "", *two = roll(9) ? "two and three" : NULL;
  int w[5] = {(int)roll(256), (int)roll(40) - 20, (int)roll(9), (int)roll(6) - 2, (int)roll(6) - 2};
  WRITTEN(spec, one, two, w[0]);
  snprintf(spec, sizeof spec, "%%%s%sp%%p", strchr(flags, '-') ? "-" : "", width);
  WRITTEN(spec, (void *)(n & ~15ll), (void *)0);
  WRITTEN("%*d %-*s|%.*s|%.*f", w[1], (int)n, w[2], "abc", w[3], "wxyz", w[4], 1.5);
  WRITTEN("%2$s %1$d", (int)n, "swapped");
  WRITTEN("%Lf %lc %ls %5.1e", (long double)n, L'x', L"wide", 0.25);
  int count[2] = {-1, -1};
  xcm_sprintf(ours, "%lld%n", n, &count[0]);
  sprintf(theirs, "%lld%n", n, &count[1]);
  if (strcmp(ours, theirs) || count[0] != count[1]) differ("sprintf", "%lld%n", theirs, ours);
}

/* Three results of 64 bytes each; how many; where it ended. */
struct results { char out[3][64]; int n, end; };

static void reading(void) {
  static const char *const formats[] = {
      "%d%i%u%n", "%i %x%n",    "%x,%o%d%n",  "%3d%2x%4i%n", "%hd%hhd%ld%n", "%lld %llu %lx%n", "%s%s%s%n", " %3s%c%2c%n",     "%[a-f0-9]%[^,]%d%n",
      "%f%lf%n",  "%lf,%f%n",   "%5lf%3f%d%n", "%*d%d%*s%s%n", "%d,%d,%d%n",   "x%d %% %d%n",     "%[]x]%s%n", "%[^]x]%*c%d%n", "%zu%jd%td%n", "%e %lg%n", "%p%n", "%d%%%d%n", "%5c%n", "%d%m%n"};
  static const char *const alphabets[] = {"0123456789", "12 ,", "0x1fF -+", "0b1xX7 ", "1.e+-5 ", "abcdef,x]09 \n", "naif infNAN01xp.", "-9 \t,%x"};
  char input[64];
  text(input, roll(3) ? 14 : 45, alphabets[roll(sizeof alphabets / sizeof *alphabets)]);
  if (roll(50) == 0) strcpy(input, roll(2) ? "99999999999999999999 -9223372036854775809 18446744073709551616" : "4294967296 -2147483649 65536 0x1p3");
  const char *format = formats[roll(sizeof formats / sizeof *formats)];
  struct results a, b;
  memset(&a, 7, sizeof a);
  memset(&b, 7, sizeof b);
  /* %n is the last conversion of most. */
  int last = 0;
  for (const char *f = format; *f; f++) last += *f == '%' && f[1] != '*' && f[1] != '%' && f[1] != 'n';
  void *x[4] = {a.out[0], a.out[1], a.out[2], &a.end}, *y[4] = {b.out[0], b.out[1], b.out[2], &b.end};
  x[last] = &a.end, y[last] = &b.end;
  a.n = sscanf(input, format, x[0], x[1], x[2], x[3]);
  b.n = xcm___isoc99_sscanf(input, format, y[0], y[1], y[2], y[3]);
  if (memcmp(&a, &b, sizeof a)) {
    printf("%d and %d, %d and %d: ", a.n, b.n, a.end, b.end);
    differ("sscanf", format, input, "the model");
  }
}

static int same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)); }

static void fractions(void) {
  static const char *const odd[] = {"inf", "-Infinity", "nan", "NAN(12)", "0x1.8p3", "0x", "0xg", "1e400", "-1e-400", "1e23", "9007199254740993", "1e", "1e+", ".", "-.", "+.5",
                                    "-0", "5.", "4.9e-324", "179769313486231570000e289", "1e00000000000000022", "123456789012345678901234567890", "0.1e1e1", "16777217", "16777216.5", "1e11"};
  char input[64];
  if (roll(20) == 0) {
    strcpy(input, odd[roll(sizeof odd / sizeof *odd)]);
  } else {
    text(input, 2, " -+");
    text(input + strlen(input), roll(3) ? 8 : 20, "0123456789");
    if (roll(2)) text(input + strlen(input), 1, ".");
    text(input + strlen(input), roll(3) ? 5 : 12, "0123456789");
    text(input + strlen(input), 4, roll(2) ? "eE+-12" : "e-1x,");
  }
  char *a = NULL, *b = NULL;
  errno = 0;
  double x = strtod(input, &a);
  int x_errno = errno;
  errno = 0;
  double y = xcm_strtod(input, &b);
  if (!same(x, y) || a != b || x_errno != errno || !same(atof(input), xcm_atof(input))) differ("strtod", input, a, b);
  errno = 0;
  float f = strtof(input, &a);
  x_errno = errno;
  errno = 0;
  float g = xcm_strtof(input, &b);
  if (!same(f, g) || a != b || x_errno != errno) differ("strtof", input, a, b);
}

int main(void) {
  for (int i = 0; i < 30000; i++) writing(), reading(), fractions();
  return 0;
}
