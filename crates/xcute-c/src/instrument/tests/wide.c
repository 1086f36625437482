/* Compares the models of wide and multibyte characters, of classes of numbers, and of strtold with the library's own, in the C locale and in one of UTF-8. */
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "random.h"

#define SAME(name, condition, ...)       \
  do {                                   \
    if (!(condition)) {                  \
      printf("%s differs: ", name);      \
      printf(__VA_ARGS__);               \
      printf("\n");                      \
      exit(1);                           \
    }                                    \
  } while (0)

static void bytes(char *to, unsigned n) {
  static const unsigned char odd[] = {0, 'a', 0x7f, 0x80, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe2, 0xed, 0xef, 0xf0, 0xf4, 0xf7, 0xf8, 0xfb, 0xfc, 0xfd, 0xfe, 0xff, 0xa0, 0x9f, 0x82};
  for (unsigned i = 0; i < n; i++) to[i] = (char)(roll(2) ? odd[roll(sizeof odd)] : 0x80 + roll(64));
}

static wchar_t character(void) {
  static const wchar_t odd[] = {0, 'a', 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdfff, 0xe000, 0xffff, 0x10000, 0x10ffff, 0x110000, 0x1fffff, 0x200000, 0x3ffffff, 0x4000000, 0x7fffffff, -1, (wchar_t)0x80000000};
  return roll(2) ? odd[roll(sizeof odd / sizeof *odd)] : (wchar_t)(roll(1u << 31) >> roll(31));
}

static int same_state(const mbstate_t *a, const mbstate_t *b) { return a->__count == b->__count && (!a->__count || a->__value.__wch == b->__value.__wch); }

static void decoding(void) {
  extern size_t xcm_mbrtowc(wchar_t *, const char *, size_t, mbstate_t *), xcm_mbrlen(const char *, size_t, mbstate_t *);
  extern int xcm_mbtowc(wchar_t *, const char *, size_t), xcm_mblen(const char *, size_t), xcm_mbsinit(const mbstate_t *);
  extern size_t xcm_mbsrtowcs(wchar_t *, const char **, size_t, mbstate_t *), xcm_mbsnrtowcs(wchar_t *, const char **, size_t, size_t, mbstate_t *);
  extern size_t xcm_mbstowcs(wchar_t *, const char *, size_t);
  char s[12];
  mbstate_t a = {0}, b = {0};
  bytes(s, sizeof s);
  s[sizeof s - 1] = 0;
  for (unsigned at = 0; at < 8;) {
    size_t n = roll(6);
    if (n > sizeof s - at) n = sizeof s - at;
    wchar_t x = 77, y = 77;
    errno = 0;
    size_t theirs = mbrtowc(roll(9) ? &x : NULL, s + at, n, &a);
    int error = errno;
    errno = 0;
    size_t ours = xcm_mbrtowc(x == 77 && theirs < n ? NULL : &y, s + at, n, &b);
    if (x == 77 || y == 77) x = y = 0;
    SAME("mbrtowc", theirs == ours && x == y && error == errno && same_state(&a, &b) && mbsinit(&a) == xcm_mbsinit(&b), "%zd %x and %zd %x, at %u of %zu", theirs, (unsigned)x,
         ours, (unsigned)y, at, n);
    if (theirs == (size_t)-1) break;
    at += theirs == (size_t)-2 ? n ? n : 1 : theirs ? theirs : 1;
  }
  mbstate_t c = {0}, d = {0};
  wchar_t x = 77, y = 77;
  size_t n = roll(8);
  SAME("mbrlen", mbrlen(s, n, &c) == xcm_mbrlen(s, n, &d), "on %zu bytes", n);
  SAME("mbtowc", mbtowc(&x, s, n) == xcm_mbtowc(&y, s, n) && x == y, "on %zu bytes", n);
  if (roll(3) == 0) mbtowc(NULL, NULL, 0), xcm_mbtowc(NULL, NULL, 0);
  SAME("mblen", mblen(s, n) == xcm_mblen(s, n), "on %zu bytes", n);
  wchar_t to_a[16], to_b[16];
  const char *from_a = s, *from_b = s;
  memset(&a, 0, sizeof a), memset(&b, 0, sizeof b), memset(to_a, 1, sizeof to_a), memset(to_b, 1, sizeof to_b);
  int counts = roll(3) == 0, limited = (int)roll(2);
  size_t most = roll(14), room = roll(14);
  errno = 0;
  size_t theirs = limited ? mbsnrtowcs(counts ? NULL : to_a, &from_a, most, room, &a) : mbsrtowcs(counts ? NULL : to_a, &from_a, room, &a);
  int error = errno;
  errno = 0;
  size_t ours = limited ? xcm_mbsnrtowcs(counts ? NULL : to_b, &from_b, most, room, &b) : xcm_mbsrtowcs(counts ? NULL : to_b, &from_b, room, &b);
  size_t written = theirs == (size_t)-1 ? 0 : theirs;
  /* Where reading stops at an invalid sequence depends on the blocks in which the library reads. */
  if (theirs == (size_t)-1) from_a = from_b;
  SAME("mbsrtowcs", theirs == ours && from_a == from_b && errno == error && wmemcmp(to_a, to_b, written) == 0, "%zd and %zd, %d %d, at %td and %td, room %zu: %02x %02x %02x %02x %02x %02x %02x", theirs, ours, counts, limited,
       from_a ? from_a - s : -1, from_b ? from_b - s : -1, room, s[0] & 255, s[1] & 255, s[2] & 255, s[3] & 255, s[4] & 255, s[5] & 255, s[6] & 255);
  SAME("mbstowcs", mbstowcs(to_a, s, room) == xcm_mbstowcs(to_b, s, room), "%zu", room);
}

static void encoding(void) {
  extern size_t xcm_wcrtomb(char *, wchar_t, mbstate_t *), xcm_wcsrtombs(char *, const wchar_t **, size_t, mbstate_t *);
  extern size_t xcm_wcsnrtombs(char *, const wchar_t **, size_t, size_t, mbstate_t *), xcm_wcstombs(char *, const wchar_t *, size_t);
  extern int xcm_wctomb(char *, wchar_t), xcm_wctob(wint_t);
  extern wint_t xcm_btowc(int);
  char x[40] = "", y[40] = "";
  mbstate_t a = {0}, b = {0};
  wchar_t c = character(), s[6];
  errno = 0;
  size_t theirs = wcrtomb(roll(9) ? x : NULL, c, &a);
  int error = errno;
  errno = 0;
  size_t ours = xcm_wcrtomb(x[0] || theirs != 1 || !c ? y : c < 0x80 && c ? NULL : y, c, &b);
  if (theirs == 1 && !x[0]) memcpy(y, x, sizeof y), errno = error, ours = 1;
  SAME("wcrtomb", theirs == ours && error == errno && memcmp(x, y, sizeof x) == 0, "%zd and %zd on %x", theirs, ours, (unsigned)c);
  memset(x, 0, sizeof x), memset(y, 0, sizeof y);
  SAME("wctomb", wctomb(x, c) == xcm_wctomb(y, c) && memcmp(x, y, sizeof x) == 0, "%x", (unsigned)c);
  SAME("wctob", wctob((wint_t)c) == xcm_wctob((wint_t)c), "%x", (unsigned)c);
  int byte = (int)roll(258) - 1;
  SAME("btowc", btowc(byte) == xcm_btowc(byte), "%x", (unsigned)byte);
  for (int i = 0; i < 5; i++) s[i] = roll(4) ? (wchar_t)(roll(0x3000) >> roll(9)) : character();
  s[5] = 0;
  const wchar_t *from_a = s, *from_b = s;
  int counts = roll(3) == 0, limited = (int)roll(2);
  size_t most = roll(8), room = roll(24);
  memset(&a, 0, sizeof a), memset(&b, 0, sizeof b);
  errno = 0;
  theirs = limited ? wcsnrtombs(counts ? NULL : x, &from_a, most, room, &a) : wcsrtombs(counts ? NULL : x, &from_a, room, &a);
  error = errno;
  errno = 0;
  ours = limited ? xcm_wcsnrtombs(counts ? NULL : y, &from_b, most, room, &b) : xcm_wcsrtombs(counts ? NULL : y, &from_b, room, &b);
  size_t written = theirs == (size_t)-1 ? 0 : theirs;
  if (theirs == (size_t)-1) from_a = from_b;
  SAME("wcsrtombs", theirs == ours && from_a == from_b && error == errno && memcmp(x, y, written) == 0, "%zd and %zd, %d %d %zu", theirs, ours, counts, limited, room);
  SAME("wcstombs", wcstombs(x, s, room) == xcm_wcstombs(y, s, room), "%zu", room);
}

static void classes(void) {
  wint_t c = roll(3) ? roll(0x180) : (wint_t)character();
#define CLASS(name)                                                                             \
  do {                                                                                          \
    extern int xcm_isw##name(wint_t), xcm_iswctype(wint_t, wctype_t);                           \
    SAME("isw" #name, !isw##name(c) == !xcm_isw##name(c), "%x", (unsigned)c);                   \
    SAME("iswctype", !iswctype(c, wctype(#name)) == !xcm_iswctype(c, wctype(#name)), "%x", (unsigned)c); \
  } while (0)
  CLASS(alnum); CLASS(alpha); CLASS(blank); CLASS(cntrl); CLASS(digit); CLASS(graph);
  CLASS(lower); CLASS(print); CLASS(punct); CLASS(space); CLASS(upper); CLASS(xdigit);
  extern wint_t xcm_towlower(wint_t), xcm_towupper(wint_t);
  SAME("towlower", towlower(c) == xcm_towlower(c), "%x", (unsigned)c);
  SAME("towupper", towupper(c) == xcm_towupper(c), "%x", (unsigned)c);
}

static int sign(int n) { return (n > 0) - (n < 0); }

static void strings(void) {
  extern size_t xcm_wcslen(const wchar_t *), xcm_wcsnlen(const wchar_t *, size_t);
  extern int xcm_wcscmp(const wchar_t *, const wchar_t *), xcm_wcsncmp(const wchar_t *, const wchar_t *, size_t), xcm_wmemcmp(const wchar_t *, const wchar_t *, size_t);
  extern wchar_t *xcm_wcschr(const wchar_t *, wchar_t), *xcm_wcsrchr(const wchar_t *, wchar_t), *xcm_wcsstr(const wchar_t *, const wchar_t *), *xcm_wmemchr(const wchar_t *, wchar_t, size_t);
  extern wchar_t *xcm_wcscpy(wchar_t *, const wchar_t *), *xcm_wcsncpy(wchar_t *, const wchar_t *, size_t), *xcm_wcscat(wchar_t *, const wchar_t *), *xcm_wcsncat(wchar_t *, const wchar_t *, size_t);
  wchar_t a[16] = {0}, b[16] = {0}, c[40] = {0}, d[40] = {0}, z = L"ab\x80"[roll(4)];
  for (unsigned i = 0, n = roll(8); i < n; i++) a[i] = L"ab\x80"[roll(3)];
  for (unsigned i = 0, n = roll(4); i < n; i++) b[i] = L"ab\x80"[roll(3)];
  size_t n = roll(9);
  SAME("wcslen", wcslen(a) == xcm_wcslen(a) && wcsnlen(a, n) == xcm_wcsnlen(a, n), "%zu", n);
  SAME("wcscmp", sign(wcscmp(a, b)) == sign(xcm_wcscmp(a, b)) && sign(wcsncmp(a, b, n)) == sign(xcm_wcsncmp(a, b, n)), "%zu", n);
  SAME("wmemcmp", sign(wmemcmp(a, b, n)) == sign(xcm_wmemcmp(a, b, n)), "%zu", n);
  SAME("wcschr", wcschr(a, z) == xcm_wcschr(a, z) && wcsrchr(a, z) == xcm_wcsrchr(a, z) && wmemchr(a, z, n) == xcm_wmemchr(a, z, n), "%x", (unsigned)z);
  SAME("wcsstr", wcsstr(a, b) == xcm_wcsstr(a, b), "%zu", n);
  wcscpy(c, a), xcm_wcscpy(d, a), wcscat(c, b), xcm_wcscat(d, b), wcsncat(c, a, n), xcm_wcsncat(d, a, n);
  SAME("wcscpy", wmemcmp(c, d, 40) == 0, "%zu", n);
  wcsncpy(c, b, n), xcm_wcsncpy(d, b, n);
  SAME("wcsncpy", wmemcmp(c, d, 40) == 0, "%zu", n);
}

static uint64_t word(void) {
  static const uint64_t odd[] = {0, 1, 0x7ff0000000000000, 0x7ff8000000000000, 0x000fffffffffffff, 0x0010000000000000, 0x3ff0000000000000, 0x7f800000, 0x7f800001, 0x7fffff, 0x800000};
  uint64_t w = roll(2) ? odd[roll(11)] : (uint64_t)roll(1u << 31) << 33 ^ roll(1u << 31);
  return w | (uint64_t)roll(2) << 63 | (uint64_t)roll(2) << 31;
}

static void numbers(void) {
  uint64_t w = word();
  double d;
  float f;
  memcpy(&d, &w, sizeof d), memcpy(&f, &w, sizeof f);
  long double l = roll(2) ? (long double)d : (long double)d * 0x1p-16000L;
#define NUMBER(type, suffix, value)                                                                                              \
  do {                                                                                                                           \
    extern int __isnan##suffix(type), __isinf##suffix(type), __finite##suffix(type), __fpclassify##suffix(type), __signbit##suffix(type); \
    extern int xcm___isnan##suffix(type), xcm___isinf##suffix(type), xcm___finite##suffix(type), xcm___fpclassify##suffix(type), xcm___signbit##suffix(type); \
    SAME("__isnan" #suffix, __isnan##suffix(value) == xcm___isnan##suffix(value), "%lx", w);                                     \
    SAME("__isinf" #suffix, __isinf##suffix(value) == xcm___isinf##suffix(value), "%lx", w);                                     \
    SAME("__finite" #suffix, __finite##suffix(value) == xcm___finite##suffix(value), "%lx", w);                                  \
    SAME("__fpclassify" #suffix, __fpclassify##suffix(value) == xcm___fpclassify##suffix(value), "%lx: %d and %d", w, __fpclassify##suffix(value), xcm___fpclassify##suffix(value)); \
    SAME("__signbit" #suffix, __signbit##suffix(value) == xcm___signbit##suffix(value), "%lx", w);                               \
  } while (0)
  NUMBER(double, , d);
  NUMBER(float, f, f);
  NUMBER(long double, l, l);
  extern long double xcm_strtold(const char *, char **);
  char s[24], *end_a, *end_b;
  text(s, 14, "0123456789.eE+-xp ");
  if (roll(4) == 0) strcpy(s, (const char *[]){"inf", "nan(12)x", "-0x1.8p3", "1e99999", " +.5e-3z", "infinit", ""}[roll(7)]);
  errno = 0;
  long double x = strtold(s, &end_a);
  int error = errno;
  errno = 0;
  long double y = xcm_strtold(s, &end_b);
  SAME("strtold", end_a == end_b && error == errno && (x == y || (x != x && y != y)) && signbit(x) == signbit(y), "on \"%s\"", s);
}

int main(int n, char **given) {
  unsigned rounds = n > 1 ? (unsigned)atoi(given[1]) : 100000;
  for (int k = 0; k < 2; k++) {
    if (!setlocale(LC_ALL, k ? "C.UTF-8" : "C")) return 0;
    for (unsigned i = 0; i < rounds; i++) {
      decoding();
      encoding();
      classes();
      strings();
      numbers();
    }
  }
  return 0;
}
