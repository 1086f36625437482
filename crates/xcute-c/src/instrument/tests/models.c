/* Compares each model with the library's own function on random inputs; the first difference is told and ends it. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "random.h"

static int sign(int n) { return (n > 0) - (n < 0); }

static char a[80], b[80], c[80], d[80];

#define SAME(name, wrong)                                                       \
  do {                                                                          \
    if (wrong) {                                                                \
      printf("%s differs on \"%s\" and \"%s\"\n", name, a, b);                  \
      exit(1);                                                                  \
    }                                                                           \
  } while (0)

/* One that gives a value. */
#define VALUE(type, name, parameters, ...)                                      \
  do {                                                                          \
    extern type xcm_##name parameters;                                          \
    SAME(#name, (name)(__VA_ARGS__) != xcm_##name(__VA_ARGS__));                \
  } while (0)

/* One that compares. */
#define ORDER(name, parameters, ...)                                            \
  do {                                                                          \
    extern int xcm_##name parameters;                                           \
    SAME(#name, sign((name)(__VA_ARGS__)) != sign(xcm_##name(__VA_ARGS__)));    \
  } while (0)

/* One that writes to its first argument. */
#define WRITES(name, parameters, ...)                                           \
  do {                                                                          \
    extern char *xcm_##name parameters;                                         \
    text(c, 10, "xyz");                                                         \
    memset(c + 11, '#', sizeof c - 12);                                         \
    memcpy(d, c, sizeof c);                                                     \
    long from = (name)(c, __VA_ARGS__) - c, ours = xcm_##name(d, __VA_ARGS__) - d; \
    SAME(#name, from != ours || memcmp(c, d, sizeof c));                        \
  } while (0)

/* One that gives memory. */
#define COPIES(name, parameters, ...)                                           \
  do {                                                                          \
    extern char *xcm_##name parameters;                                         \
    char *theirs = (name)(__VA_ARGS__), *ours = xcm_##name(__VA_ARGS__);        \
    SAME(#name, strcmp(theirs, ours));                                          \
    free(theirs);                                                               \
    free(ours);                                                                 \
  } while (0)

#define NUMBER(type, name, ours_called)                                         \
  do {                                                                          \
    extern type xcm_##ours_called(const char *, char **, int);                  \
    char *end = b, *ours_end = b;                                               \
    errno = 0;                                                                  \
    type theirs = (name)(a, &end, base);                                        \
    int theirs_errno = errno;                                                   \
    errno = 0;                                                                  \
    type ours = xcm_##ours_called(a, &ours_end, base);                          \
    SAME(#name, theirs != ours || end != ours_end || theirs_errno != errno);    \
  } while (0)

static void strings(void) {
  const char *alphabet = roll(2) ? "aAbB" : "ab\xff\x80";
  text(a, 12, alphabet);
  text(b, roll(2) ? 12 : 3, alphabet);
  size_t n = roll(14);
  int k = roll(8) ? a[roll(12)] : (int)roll(512) - 256;
  VALUE(size_t, strlen, (const char *), a);
  VALUE(size_t, strnlen, (const char *, size_t), a, n);
  ORDER(strcmp, (const char *, const char *), a, b);
  ORDER(strncmp, (const char *, const char *, size_t), a, b, n);
  ORDER(strcasecmp, (const char *, const char *), a, b);
  ORDER(strncasecmp, (const char *, const char *, size_t), a, b, n);
  ORDER(memcmp, (const void *, const void *, size_t), a, b, n);
  VALUE(char *, strchr, (const char *, int), a, k);
  VALUE(char *, strrchr, (const char *, int), a, k);
  VALUE(char *, strchrnul, (const char *, int), a, k);
  VALUE(char *, strstr, (const char *, const char *), a, b);
  VALUE(char *, strpbrk, (const char *, const char *), a, b);
  VALUE(char *, strcasestr, (const char *, const char *), a, b);
  VALUE(void *, memmem, (const void *, size_t, const void *, size_t), a, n, b, strlen(b));
  VALUE(size_t, strspn, (const char *, const char *), a, b);
  VALUE(size_t, strcspn, (const char *, const char *), a, b);
  VALUE(void *, memchr, (const void *, int, size_t), a, k, n);
  VALUE(void *, memrchr, (const void *, int, size_t), a, k, n);
  extern int xcm_bcmp(const void *, const void *, size_t);
  SAME("bcmp", !(bcmp)(a, b, n) != !xcm_bcmp(a, b, n));
  WRITES(strcpy, (char *, const char *), a);
  WRITES(stpcpy, (char *, const char *), a);
  WRITES(strcat, (char *, const char *), a);
  WRITES(strncpy, (char *, const char *, size_t), a, n);
  WRITES(stpncpy, (char *, const char *, size_t), a, n);
  WRITES(strncat, (char *, const char *, size_t), a, n);
  COPIES(strdup, (const char *), a);
  COPIES(strndup, (const char *, size_t), a, n);
}

/* Takes a string apart in three ways: each token, and what is left of the string. */
static void tokens(void) {
  extern char *xcm_strtok(char *, const char *), *xcm_strtok_r(char *, const char *, char **), *xcm_strsep(char **, const char *);
  char *rest = c, *ours_rest = d;
  text(a, 12, "ab,; ");
  text(b, 3, ",; ");
#define TOKENS(name, first, ours_first, next, ours_next)                        \
  memcpy(c, a, sizeof c);                                                       \
  memcpy(d, a, sizeof d);                                                       \
  for (char *x = first, *y = ours_first; x || y; x = next, y = ours_next)       \
    SAME(#name, !x != !y || x - c != y - d || strcmp(x, y));                    \
  SAME(#name, memcmp(c, d, sizeof c))
  TOKENS(strtok, strtok(c, b), xcm_strtok(d, b), strtok(NULL, b), xcm_strtok(NULL, b));
  TOKENS(strtok_r, strtok_r(c, b, &rest), xcm_strtok_r(d, b, &ours_rest), strtok_r(NULL, b, &rest), xcm_strtok_r(NULL, b, &ours_rest));
  rest = c, ours_rest = d;
  TOKENS(strsep, strsep(&rest, b), xcm_strsep(&ours_rest, b), strsep(&rest, b), xcm_strsep(&ours_rest, b));
  extern void *xcm_memccpy(void *, const void *, int, size_t);
  size_t n = roll(14);
  char *x = memccpy(c, a, b[0], n), *y = xcm_memccpy(d, a, b[0], n);
  SAME("memccpy", (x ? x - c : -1) != (y ? y - d : -1) || memcmp(c, d, sizeof c));
  div_t xcm_div(int, int);
  ldiv_t xcm_ldiv(long, long), q, r;
  lldiv_t xcm_lldiv(long long, long long);
  int over = (int)roll(200) - 100, by = 1 + (int)roll(9);
  SAME("div", (div)(over, by).quot != xcm_div(over, by).quot || (div)(over, -by).rem != xcm_div(over, -by).rem);
  r = xcm_ldiv(over * 1000000007l, by), q = (ldiv)(over * 1000000007l, by);
  SAME("ldiv", q.quot != r.quot || q.rem != r.rem || xcm_lldiv(over, by).rem != (lldiv)(over, by).rem);
}

static void numbers(void) {
  static const int bases[] = {0, 2, 8, 10, 10, 10, 16, 36, 7, 1, -3, 37};
  static const char *const alphabets[] = {"0123456789", " \t+-0x1", "01", "09azAZfFxX", "7 9-/:@`g[{"};
  static const char *const edges[] = {"9223372036854775807",  "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
                                      "18446744073709551615", "18446744073709551616", "0x", "-0xg", "  +0x7fffffffffffffff", "", "-", "0x8000000000000000"};
  int base = bases[roll(sizeof bases / sizeof *bases)];
  if (roll(20) == 0) {
    strcpy(a, edges[roll(sizeof edges / sizeof *edges)]);
  } else {
    text(a, 3, " -+0x");
    text(a + strlen(a), roll(4) ? 6 : 30, alphabets[roll(5)]);
  }
  NUMBER(long, strtol, strtol);
  NUMBER(long long, strtoll, strtoll);
  NUMBER(unsigned long, strtoul, strtoul);
  NUMBER(unsigned long long, strtoull, strtoull);
  VALUE(int, atoi, (const char *), a);
  VALUE(long, atol, (const char *), a);
  VALUE(long long, atoll, (const char *), a);
  int n = (int)roll(1u << 31) - (1 << 30);
  VALUE(int, abs, (int), n);
  VALUE(long, labs, (long), n);
  VALUE(long long, llabs, (long long), n);
}

static void classes(void) {
#define CLASS(name) VALUE(int, name, (int), k)
  for (int k = -1; k < 256; k++) {
    snprintf(a, sizeof a, "%d", k);
    CLASS(isalnum); CLASS(isalpha); CLASS(isblank); CLASS(iscntrl); CLASS(isdigit); CLASS(isgraph); CLASS(islower); CLASS(isprint);
    CLASS(ispunct); CLASS(isspace); CLASS(isupper); CLASS(isxdigit); CLASS(tolower); CLASS(toupper); CLASS(isascii); CLASS(toascii);
  }
}

/* Two numbers, of which the second tells equal ones apart. */
struct pair {
  int key, place;
};

static int by_key(const void *x, const void *y) { return sign(((const struct pair *)x)->key - ((const struct pair *)y)->key); }

static void sorting(unsigned most) {
  extern void xcm_qsort(void *, size_t, size_t, int (*)(const void *, const void *));
  extern void xcm_exchange_sort(char *, size_t, size_t, int (*)(const void *, const void *));
  extern void *xcm_bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
  static struct pair x[400], y[400], z[400];
  unsigned n = roll(most);
  for (unsigned i = 0; i < n; i++) x[i] = y[i] = z[i] = (struct pair){(int)roll(most), (int)i};
  snprintf(a, sizeof a, "%u pairs", n);
  qsort(x, n, sizeof *x, by_key);
  xcm_qsort(y, n, sizeof *y, by_key);
  xcm_exchange_sort((char *)z, n, sizeof *z, by_key);
  for (unsigned i = 0; i < n; i++) {
    SAME("qsort", by_key(&x[i], &y[i]) || (i > 0 && y[i - 1].key == y[i].key && y[i - 1].place > y[i].place));
    SAME("exchange_sort", memcmp(&y[i], &z[i], sizeof *y));
  }
  struct pair key = {(int)roll(most), 0};
  SAME("bsearch", (bsearch)(&key, x, n, sizeof *x, by_key) != xcm_bsearch(&key, x, n, sizeof *x, by_key));
}

int main(void) {
  classes();
  for (int i = 0; i < 20000; i++) strings(), tokens(), numbers();
  for (int i = 0; i < 300; i++) sorting(i % 10 ? 20 : 400);
  return 0;
}
