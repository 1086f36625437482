/* Models of mbrtowc, wcrtomb and their like in the C locale and in those of UTF-8, as the GNU C library has them: sequences of up to six bytes, none for
 * surrogates, none longer than it needs to be. All other locales are the library's.
 *
 * **Invariant.** States have the form that the library gives them: how many bytes are expected and how many were seen, and the bits so far. */
#define _GNU_SOURCE
#include "models.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

size_t __ctype_get_mb_cur_max(void);

enum MODEL(charset) { ASCII, UTF_8, OTHER };
#define NOT_DONE ((size_t)-2)
#define INVALID ((size_t)-1)

static enum MODEL(charset) MODEL(charset)(void) {
  size_t most = __ctype_get_mb_cur_max();
  return most == 6 ? UTF_8 : most == 1 && btowc(0x80) == WEOF && btowc(0xff) == WEOF ? ASCII : OTHER;
}

static size_t MODEL(invalid)(void) {
  errno = EILSEQ;
  return INVALID;
}

/* How many bytes a sequence that begins so has; 0: none does. */
static unsigned MODEL(sequence)(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  if (first < 0xf8) return 4;
  if (first < 0xfc) return 5;
  return first < 0xfe ? 6 : 0;
}

/* Whether a character is one, and needs this many bytes. */
static int MODEL(is_character)(unsigned c, unsigned bytes) {
  static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000, 0x200000, 0x4000000};
  return c >= least[bytes] && !MODEL(within)((int)c, 0xd800, 0xdfff);
}

static size_t MODEL(decode)(wchar_t *to, const char *s, size_t n, mbstate_t *state) {
  unsigned expected = (unsigned)state->__count >> 8, seen = (unsigned)state->__count & 0xff, value = state->__value.__wch;
  size_t used = 0;
  if (!expected) {
    if (!n) return NOT_DONE;
    unsigned char first = (unsigned char)s[used++];
    expected = MODEL(sequence)(first);
    if (!expected) return MODEL(invalid)();
    seen = 1;
    value = expected == 1 ? first : (unsigned)(first & (0x7f >> expected)) << 6 * (expected - 1);
  }
  for (; seen < expected && used < n; seen++, used++) {
    unsigned char next = (unsigned char)s[used];
    if ((next & 0xc0) != 0x80) return MODEL(invalid)();
    value |= (unsigned)(next & 0x3f) << 6 * (expected - 1 - seen);
  }
  if (seen < expected) {
    state->__count = (int)(expected << 8 | seen);
    state->__value.__wch = value;
    return NOT_DONE;
  }
  if (!MODEL(is_character)(value, expected)) return MODEL(invalid)();
  state->__count = 0;
  state->__value.__wch = 0;
  if (to) *to = (wchar_t)value;
  return value ? used : 0;
}

static size_t MODEL(decode_ascii)(wchar_t *to, const char *s, size_t n) {
  if (!n) return NOT_DONE;
  if ((unsigned char)*s >= 0x80) return MODEL(invalid)();
  if (to) *to = *s;
  return *s != 0;
}

static size_t MODEL(encode)(char *to, wchar_t of) {
  unsigned c = (unsigned)of, n = 2;
  if (c < 0x80) {
    *to = (char)c;
    return 1;
  }
  if (c > 0x7fffffff || MODEL(within)((int)c, 0xd800, 0xdfff)) return MODEL(invalid)();
  for (unsigned long most = 0x800; c >= most; most <<= 5) n++;
  unsigned rest = c;
  for (unsigned i = n; i-- > 1; rest >>= 6) to[i] = (char)(0x80 | (rest & 0x3f));
  to[0] = (char)((0xff00u >> n & 0xff) | rest);
  return n;
}

/* States that nobody gives, one for each function. */
size_t MODEL(mbrtowc)(wchar_t *to, const char *s, size_t n, mbstate_t *state) {
  static mbstate_t own;
  enum MODEL(charset) set = MODEL(charset)();
  if (!state) state = &own;
  if (set == OTHER) return mbrtowc(to, s, n, state);
  if (!s) to = NULL, s = "", n = 1;
  return set == UTF_8 ? MODEL(decode)(to, s, n, state) : MODEL(decode_ascii)(to, s, n);
}

size_t MODEL(mbrlen)(const char *s, size_t n, mbstate_t *state) {
  static mbstate_t own;
  return MODEL(mbrtowc)(NULL, s, n, state ? state : &own);
}

/* A sequence that has begun in one call goes on in the next. */
int MODEL(mbtowc)(wchar_t *to, const char *s, size_t n) {
  static mbstate_t own;
  if (MODEL(charset)() == OTHER) return mbtowc(to, s, n);
  if (!s) {
    own.__count = 0;
    return 0;
  }
  if (!*s) {
    if (to) *to = 0;
    return 0;
  }
  size_t used = MODEL(mbrtowc)(to, s, n, &own);
  return used >= NOT_DONE ? -1 : (int)used;
}

int MODEL(mblen)(const char *s, size_t n) {
  mbstate_t state = {0};
  if (MODEL(charset)() == OTHER) return mblen(s, n);
  if (!s || !*s) return 0;
  size_t used = MODEL(mbrtowc)(NULL, s, n, &state);
  return used >= NOT_DONE ? -1 : (int)used;
}

int MODEL(mbsinit)(const mbstate_t *state) { return !state || state->__count == 0; }

size_t MODEL(wcrtomb)(char *to, wchar_t c, mbstate_t *state) {
  static mbstate_t own;
  enum MODEL(charset) set = MODEL(charset)();
  if (!state) state = &own;
  if (set == OTHER) return wcrtomb(to, c, state);
  if (!to) {
    state->__count = 0;
    return 1;
  }
  if (set == ASCII && (unsigned)c >= 0x80) return MODEL(invalid)();
  size_t n = MODEL(encode)(to, c);
  if (!c) state->__count = 0;
  return n;
}

int MODEL(wctomb)(char *to, wchar_t c) {
  mbstate_t state = {0};
  if (MODEL(charset)() == OTHER) return wctomb(to, c);
  return to ? (int)MODEL(wcrtomb)(to, c, &state) : 0;
}

wint_t MODEL(btowc)(int c) {
  if (MODEL(charset)() == OTHER) return btowc(c);
  return MODEL(within)(c, 0, 0x7f) ? (wint_t)c : WEOF;
}

int MODEL(wctob)(wint_t c) {
  if (MODEL(charset)() == OTHER) return wctob(c);
  return c < 0x80 ? (int)c : EOF;
}

/* Whole texts: at most `n` bytes become at most `room` characters; *from moves to what is left, or becomes NULL at the end. Without `to` they are counted,
 * and nothing moves. */
static size_t MODEL(decode_all)(wchar_t *to, const char **from, size_t n, size_t room, mbstate_t *state) {
  mbstate_t kept = *state;
  const char *s = *from;
  size_t done = 0;
  if (!to) state = &kept;
  for (; !to || done < room; done++) {
    wchar_t c;
    size_t used = n ? MODEL(mbrtowc)(&c, s, n, state) : NOT_DONE;
    if (used == NOT_DONE) {
      s += n;
      break;
    }
    if (used == INVALID) {
      if (to) *from = s;
      return INVALID;
    }
    if (to) to[done] = c;
    if (!used) {
      if (to) *from = NULL;
      return done;
    }
    s += used;
    n -= used;
  }
  if (to) *from = s;
  return done;
}

size_t MODEL(mbsnrtowcs)(wchar_t *to, const char **from, size_t n, size_t room, mbstate_t *state) {
  static mbstate_t own;
  if (!state) state = &own;
  return MODEL(charset)() == OTHER ? mbsnrtowcs(to, from, n, room, state) : MODEL(decode_all)(to, from, n, room, state);
}

size_t MODEL(mbsrtowcs)(wchar_t *to, const char **from, size_t room, mbstate_t *state) {
  static mbstate_t own;
  if (!state) state = &own;
  return MODEL(charset)() == OTHER ? mbsrtowcs(to, from, room, state) : MODEL(decode_all)(to, from, (size_t)-1, room, state);
}

size_t MODEL(mbstowcs)(wchar_t *to, const char *from, size_t room) {
  mbstate_t state = {0};
  return MODEL(mbsrtowcs)(to, &from, room, &state);
}

static size_t MODEL(encode_all)(char *to, const wchar_t **from, size_t n, size_t room, mbstate_t *state) {
  const wchar_t *s = *from;
  size_t done = 0;
  for (; n && (!to || done < room); n--, s++) {
    char bytes[6];
    size_t k = MODEL(wcrtomb)(bytes, *s, state);
    if (k == INVALID) {
      if (to) *from = s;
      return INVALID;
    }
    if (to && k > room - done) break;
    for (size_t i = 0; to && i < k; i++) to[done + i] = bytes[i];
    if (!*s) {
      if (to) *from = NULL;
      return done;
    }
    done += k;
  }
  if (to) *from = s;
  return done;
}

size_t MODEL(wcsnrtombs)(char *to, const wchar_t **from, size_t n, size_t room, mbstate_t *state) {
  static mbstate_t own;
  if (!state) state = &own;
  return MODEL(charset)() == OTHER ? wcsnrtombs(to, from, n, room, state) : MODEL(encode_all)(to, from, n, room, state);
}

size_t MODEL(wcsrtombs)(char *to, const wchar_t **from, size_t room, mbstate_t *state) {
  static mbstate_t own;
  if (!state) state = &own;
  return MODEL(charset)() == OTHER ? wcsrtombs(to, from, room, state) : MODEL(encode_all)(to, from, (size_t)-1, room, state);
}

size_t MODEL(wcstombs)(char *to, const wchar_t *from, size_t room) {
  mbstate_t state = {0};
  return MODEL(wcsrtombs)(to, &from, room, &state);
}
