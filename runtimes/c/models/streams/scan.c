/* Models of scanf and its like: what is read stays symbolic.
 *
 * As the GNU C library reads: greedily, a character at a time, so that "0x" is taken for a hexadecimal number and "1e+" for one in decimal
 * notation though digits are missing. Numbers of other kinds (hexadecimal fractions, infinity) are the library's, and so are whole formats with
 * conversions that are not known here. */
#include "streams.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What is read, and one conversion. It is a text, a stream of ours, or one of the library's. */
struct MODEL(scan) {
  const char *at;
  struct MODEL(stream) *s;
  FILE *stream;
  unsigned long taken;        /* characters so far */
  int suppress, bytes, width; /* width: how many characters may still be read */
  char letter;
  int c23;                    /* whether "0b" begins a binary number */
};

enum { MATCHED = 1, MISMATCH = 0, INPUT_ENDED = -1 };

/* The next character, or EOF; that it is one takes no decision. */
static int MODEL(look)(struct MODEL(scan) *s) {
  if (XCUTE_FILES && s->s) return MODEL(peek)(s->s);
  if (s->stream) {
    int c = getc(s->stream);
    if (c != EOF) ungetc(c, s->stream);
    return c;
  }
  return (unsigned char)*s->at | (0 - (*s->at == 0));
}

/* The next character was one, and is taken. */
static void MODEL(step)(struct MODEL(scan) *s) {
  s->taken++;
  s->width--;
  if (XCUTE_FILES && s->s) MODEL(pass)(s->s);
  else if (s->stream) getc(s->stream);
  else s->at++;
}

/* What may still be read of this conversion. */
static int MODEL(look_within)(struct MODEL(scan) *s) { return s->width > 0 ? MODEL(look)(s) : EOF; }

static int MODEL(is_space)(int c) { return (int)(MODEL(within)(c, '\t', '\r') | (c == ' ')); }

static void MODEL(skip_space)(struct MODEL(scan) *s) {
  int width = s->width;
  while (MODEL(is_space)(MODEL(look)(s))) MODEL(step)(s);
  s->width = width;
}

static void MODEL(store_integer)(const struct MODEL(scan) *s, void *to, unsigned long long value) {
  if (s->suppress) return;
  if (s->bytes == 8) *(unsigned long long *)to = value;
  else if (s->bytes == 4) *(unsigned *)to = (unsigned)value;
  else if (s->bytes == 2) *(unsigned short *)to = (unsigned short)value;
  else *(unsigned char *)to = (unsigned char)value;
}

/* A sign, if there is one. */
static int MODEL(scan_sign)(struct MODEL(scan) *s) {
  int c = MODEL(look_within)(s), negative = c == '-';
  if (negative || c == '+') MODEL(step)(s);
  return negative;
}

static int MODEL(scan_integer)(struct MODEL(scan) *s, void *to) {
  static const struct { char letter; unsigned base; } bases[] = {{'d', 10}, {'u', 10}, {'i', 0}, {'x', 16}, {'X', 16}, {'o', 8}, {'p', 16}};
  unsigned base = 10;
  int is_signed = s->letter == 'd' || s->letter == 'i';
  for (unsigned i = 0; i < sizeof bases / sizeof *bases; i++)
    if (bases[i].letter == s->letter) base = bases[i].base;
  MODEL(skip_space)(s);
  if (MODEL(look)(s) == EOF) return INPUT_ENDED;
  int negative = MODEL(scan_sign)(s), any = 0;
  if (base != 10 && MODEL(look_within)(s) == '0') {
    MODEL(step)(s);
    any = 1;
    if (base != 8 && (MODEL(look_within)(s) | 32) == 'x') {
      MODEL(step)(s);
      base = 16;
    } else if (base == 0 && s->c23 && (MODEL(look_within)(s) | 32) == 'b') {
      MODEL(step)(s);
      base = 2;
    } else if (base == 0) {
      base = 8;
    }
  }
  if (base == 0) base = 10;
  unsigned long long most = is_signed ? (unsigned long long)LLONG_MAX + (unsigned)negative : ULLONG_MAX;
  struct MODEL(number) n = {0, 0, 0};
  for (unsigned digit; s->width > 0 && (digit = MODEL(digit_value)((char)MODEL(look)(s), base)) < base; any = 1) {
    MODEL(step)(s);
    MODEL(push)(&n, digit, base, most);
  }
  if (!any) return MISMATCH;
  if (n.over) {
    n.value = most;
    if (!is_signed) negative = 0;
  }
  MODEL(store_integer)(s, to, negative ? 0 - n.value : n.value);
  return MATCHED;
}

/* The characters of a number, for the library. */
struct MODEL(word) {
  char few[64], *text;
  size_t n, room;
};

static void MODEL(add)(struct MODEL(word) *w, int c) {
  if (w->n + 1 >= w->room) {
    char *more = malloc(2 * w->room);
    if (!more) return;
    memcpy(more, w->text, w->n);
    w->text = more;
    w->room *= 2;
  }
  w->text[w->n++] = (char)c;
  w->text[w->n] = 0;
}

static void MODEL(take_letter)(struct MODEL(scan) *s, struct MODEL(word) *w) {
  MODEL(add)(w, MODEL(look)(s));
  MODEL(step)(s);
}

/* The rest of a word, whatever its case. */
static int MODEL(scan_letters)(struct MODEL(scan) *s, struct MODEL(word) *w, const char *letters) {
  for (; *letters; letters++) {
    if ((MODEL(look_within)(s) | 32) != *letters) return 0;
    MODEL(take_letter)(s, w);
  }
  return 1;
}

/* Digits; `d` gets those that are decimal. */
static int MODEL(scan_digits)(struct MODEL(scan) *s, struct MODEL(word) *w, struct MODEL(decimal) *d, int after_point, unsigned base) {
  int any = 0;
  for (unsigned digit; s->width > 0 && (digit = MODEL(digit_value)((char)MODEL(look)(s), base)) < base; any = 1) {
    MODEL(take_letter)(s, w);
    if (d) MODEL(push_decimal)(d, digit, after_point);
  }
  return any;
}

static int MODEL(scan_number)(struct MODEL(scan) *s, struct MODEL(word) *w, struct MODEL(decimal) *d) {
  unsigned base = 10;
  int any = 0;
  if (MODEL(look_within)(s) == '0') {
    MODEL(take_letter)(s, w);
    any = 1;
    if ((MODEL(look_within)(s) | 32) == 'x') {
      MODEL(take_letter)(s, w);
      any = 0;
      base = 16;
      d->cut = 1;
    } else {
      MODEL(push_decimal)(d, 0, 0);
    }
  }
  size_t before = w->n;
  any |= MODEL(scan_digits)(s, w, base == 10 ? d : NULL, 0, base);
  if (MODEL(look_within)(s) == '.') {
    MODEL(take_letter)(s, w);
    any |= MODEL(scan_digits)(s, w, base == 10 ? d : NULL, 1, base);
  }
  if (!any) return base == 16 && w->n > before ? -1 : 0;
  if ((MODEL(look_within)(s) | 32) == (base == 10 ? 'e' : 'p')) {
    struct MODEL(decimal) exponent = {0, 0, 0, 0};
    MODEL(take_letter)(s, w);
    int c = MODEL(look_within)(s), down = c == '-';
    if (down || c == '+') MODEL(take_letter)(s, w);
    MODEL(scan_digits)(s, w, &exponent, 0, 10);
    if (exponent.digits > 4) d->cut = 1;
    d->scale += down ? -(int)exponent.mantissa : (int)exponent.mantissa;
  }
  return 1;
}

static void MODEL(store_float)(const struct MODEL(scan) *s, void *to, const struct MODEL(decimal) *d, int negative, const char *text) {
  int exact = 0;
  if (s->suppress) return;
  if (s->bytes == 4) {
    float value = MODEL(float_of)(d, &exact);
    if (!exact) value = strtof(text, NULL);
    *(float *)to = negative ? -value : value;
  } else if (s->bytes == 8) {
    double value = MODEL(double_of)(d, &exact);
    if (!exact) value = strtod(text, NULL);
    *(double *)to = negative ? -value : value;
  } else {
    long double value = strtold(text, NULL);
    *(long double *)to = negative ? -value : value;
  }
}

static int MODEL(scan_float)(struct MODEL(scan) *s, void *to) {
  struct MODEL(word) w;
  struct MODEL(decimal) d = {0, 0, 0, 0};
  w.text = w.few;
  w.n = 0;
  w.room = sizeof w.few;
  w.few[0] = 0;
  MODEL(skip_space)(s);
  if (MODEL(look)(s) == EOF) return INPUT_ENDED;
  int negative = MODEL(scan_sign)(s), c = MODEL(look_within)(s) | 32, matched = 1;
  if (c == 'n') {
    d.cut = 1;
    matched = MODEL(scan_letters)(s, &w, "nan");
  } else if (c == 'i') {
    d.cut = 1;
    matched = MODEL(scan_letters)(s, &w, "inf") && ((MODEL(look_within)(s) | 32) != 'i' || MODEL(scan_letters)(s, &w, "inity"));
  } else {
    matched = MODEL(scan_number)(s, &w, &d);
  }
  if (matched > 0) MODEL(store_float)(s, to, &d, negative, w.text);
  if (w.text != w.few) free(w.text);
  return matched > 0 ? MATCHED : MISMATCH;
}

/* %c: exactly as many characters as the width says. */
static int MODEL(scan_characters)(struct MODEL(scan) *s, char *to, int count) {
  int c = MODEL(look)(s);
  if (c == EOF) return INPUT_ENDED;
  for (; count > 0 && (c = MODEL(look)(s)) != EOF; count--) {
    MODEL(step)(s);
    if (!s->suppress) *to++ = (char)c;
  }
  return MATCHED;
}

static unsigned MODEL(in_word)(int c) { return (unsigned)(c != EOF) & (unsigned)!MODEL(is_space)(c); }

static int MODEL(scan_word)(struct MODEL(scan) *s, char *to) {
  MODEL(skip_space)(s);
  if (MODEL(look)(s) == EOF) return INPUT_ENDED;
  for (int c; s->width > 0 && MODEL(in_word)(c = MODEL(look)(s));) {
    MODEL(step)(s);
    if (!s->suppress) *to++ = (char)c;
  }
  if (!s->suppress) *to = 0;
  return MATCHED;
}

/* Whether c is a character that is in the set which begins at `set` and ends before `end`, or is not. */
static unsigned MODEL(fits)(int c, const char *set, const char *end, unsigned wanted) {
  unsigned found = 0;
  for (; set < end; set++) {
    if (set + 2 < end && set[1] == '-' && (unsigned char)set[0] <= (unsigned char)set[2]) {
      found |= MODEL(within)(c, (unsigned char)set[0], (unsigned char)set[2]);
      set += 2;
    } else {
      found |= c == (unsigned char)*set;
    }
  }
  return (unsigned)(found == wanted) & (unsigned)(c != EOF);
}

/* %[…]: `format` is behind the bracket, and behind the closing one afterwards. */
static int MODEL(scan_set)(struct MODEL(scan) *s, char *to, const char **format) {
  const char *set = *format;
  unsigned wanted = *set != '^';
  if (!wanted) set++;
  const char *end = set;
  if (*end == ']') end++;
  while (*end && *end != ']') end++;
  *format = *end ? end + 1 : end;
  if (!*end) return MISMATCH;
  if (MODEL(look)(s) == EOF) return INPUT_ENDED;
  unsigned long first = s->taken;
  for (int c; s->width > 0 && MODEL(fits)(c = MODEL(look)(s), set, end, wanted);) {
    MODEL(step)(s);
    if (!s->suppress) *to++ = (char)c;
  }
  if (s->taken == first) return MISMATCH;
  if (!s->suppress) *to = 0;
  return MATCHED;
}

static const char *MODEL(read_directive)(const char *at, struct MODEL(scan) *s) {
  int width = 0;
  if (*at == '*') at++, s->suppress = 1;
  for (; MODEL(within)(*at, '0', '9'); at++) width = width > INT_MAX / 10 - 1 ? INT_MAX : width * 10 + (*at - '0');
  s->width = width;
  for (;; at++) {
    if (*at == 'h') s->bytes = s->bytes == 2 ? 1 : 2;
    else if (*at == 'l' || *at == 'j' || *at == 'z' || *at == 't') s->bytes = 8;
    else if (*at == 'L' || *at == 'q') s->bytes = 16;
    else break;
  }
  s->letter = *at;
  return *at ? at + 1 : at;
}

/* One conversion. */
static int MODEL(scan_one)(struct MODEL(scan) *s, const char **format, void *to) {
  int given = s->width;
  if (!given) s->width = INT_MAX;
  switch (s->letter) {
    case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': case 'p':
      if (s->bytes == 16 || s->letter == 'p') s->bytes = 8;
      return MODEL(scan_integer)(s, to);
    case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A': return MODEL(scan_float)(s, to);
    case 'c': return MODEL(scan_characters)(s, to, given ? given : 1);
    case 's': return MODEL(scan_word)(s, to);
    default: return MODEL(scan_set)(s, to, format);
  }
}

/* Whether all conversions are known here: not wide characters, memory that scanf is to allocate, arguments by number. */
static int MODEL(is_known)(const char *format) {
  while (*format) {
    if (*format++ != '%') continue;
    if (*format == '%') {
      format++;
      continue;
    }
    struct MODEL(scan) s = {.bytes = 4};
    format = MODEL(read_directive)(format, &s);
    if (!s.letter || !strchr("diuxXopfFeEgGaAcs[n", s.letter)) return 0;
    if (strchr("cs[", s.letter) && s.bytes != 4) return 0;
    if (s.letter != '[') continue;
    if (*format == '^') format++;
    if (*format == ']') format++;
    while (*format && *format != ']') format++;
  }
  return 1;
}

/* The whole format. `s` is left where reading ended. */
static int MODEL(scan_format)(struct MODEL(scan) *s, const char *format, va_list list) {
  int stored = 0;
  while (*format) {
    if (MODEL(space)(*format)) {
      MODEL(skip_space)(s);
      format++;
      continue;
    }
    if (*format != '%' || format[1] == '%') {
      if (*format == '%') {
        MODEL(skip_space)(s);
        format++;
      }
      int c = MODEL(look)(s);
      if (c == EOF) return stored ? stored : EOF;
      if (c != (unsigned char)*format) return stored;
      MODEL(step)(s);
      format++;
      continue;
    }
    s->suppress = 0;
    s->bytes = 4;
    format = MODEL(read_directive)(format + 1, s);
    void *to = s->suppress ? NULL : va_arg(list, void *);
    if (s->letter == 'n') {
      MODEL(store_integer)(s, to, s->taken);
      continue;
    }
    int result = MODEL(scan_one)(s, &format, to);
    if (result == INPUT_ENDED) return stored ? stored : EOF;
    if (result == MISMATCH) return stored;
    stored += !s->suppress;
  }
  return stored;
}

static int MODEL(scan_text)(const char *text, const char *format, va_list list, int c23) {
  if (!MODEL(is_known)(format)) return vsscanf(text, format, list);
  return MODEL(scan_format)(&(struct MODEL(scan)){.at = text, .c23 = c23}, format, list);
}

static int MODEL(scan_stream)(FILE *stream, const char *format, va_list list, int c23) {
  struct MODEL(stream) *s = NULL;
  int ours = IS_OURS(s, stream);
  if (!MODEL(is_known)(format)) {
    if (ours) __xcute_lost(LOST_WIDE);
    return vfscanf(stream, format, list);
  }
#if XCUTE_FILES
  if (ours && !(s->flags & STREAM_READS)) {
    errno = EBADF;
    return EOF;
  }
  if (ours) s->flags |= STREAM_USED;
#endif
  return MODEL(scan_format)(&(struct MODEL(scan)){.s = s, .stream = ours ? NULL : stream, .c23 = c23}, format, list);
}

#define VARIADIC(body)      \
  {                         \
    va_list list;           \
    va_start(list, format); \
    int n = body;           \
    va_end(list);           \
    return n;               \
  }

#define SCANNER(prefix, c23)                                                                                                                   \
  int MODEL(prefix##vsscanf)(const char *text, const char *format, va_list list) { return MODEL(scan_text)(text, format, list, c23); }         \
  int MODEL(prefix##vfscanf)(FILE *stream, const char *format, va_list list) { return MODEL(scan_stream)(stream, format, list, c23); }         \
  int MODEL(prefix##vscanf)(const char *format, va_list list) { return MODEL(scan_stream)(stdin, format, list, c23); }                         \
  int MODEL(prefix##sscanf)(const char *text, const char *format, ...) VARIADIC(MODEL(scan_text)(text, format, list, c23))                     \
  int MODEL(prefix##fscanf)(FILE *stream, const char *format, ...) VARIADIC(MODEL(scan_stream)(stream, format, list, c23))                     \
  int MODEL(prefix##scanf)(const char *format, ...) VARIADIC(MODEL(scan_stream)(stdin, format, list, c23))

SCANNER(, 0)
SCANNER(__isoc99_, 0)
SCANNER(__isoc23_, 1)
