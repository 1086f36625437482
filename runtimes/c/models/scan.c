/* Models of sscanf and its like: what is read stays symbolic.
 *
 * As the GNU C library reads: greedily, a character at a time, so that "0x" is taken for a hexadecimal number and "1e+" for one in decimal
 * notation though digits are missing. Numbers of other kinds (hexadecimal fractions, infinity) are the library's, and so are whole formats with
 * conversions that are not known here. */
#include "models.h"

#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Where the text is read, and one conversion. */
struct MODEL(scan) {
  const char *at;
  int suppress, bytes, width; /* width: how many characters may still be read */
  char letter;
  int c23;                    /* whether "0b" begins a binary number */
};

enum { MATCHED = 1, MISMATCH = 0, INPUT_ENDED = -1, UNKNOWN = -2 };

static void MODEL(skip_space)(struct MODEL(scan) *s) {
  while (MODEL(space)(*s->at)) s->at++;
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
  if (s->width <= 0) return 0;
  int negative = *s->at == '-';
  if (negative || *s->at == '+') {
    s->at++;
    s->width--;
  }
  return negative;
}

static int MODEL(scan_integer)(struct MODEL(scan) *s, void *to) {
  static const struct { char letter; unsigned base; } bases[] = {{'d', 10}, {'u', 10}, {'i', 0}, {'x', 16}, {'X', 16}, {'o', 8}, {'p', 16}};
  unsigned base = 10;
  int is_signed = s->letter == 'd' || s->letter == 'i';
  for (unsigned i = 0; i < sizeof bases / sizeof *bases; i++)
    if (bases[i].letter == s->letter) base = bases[i].base;
  MODEL(skip_space)(s);
  if (!*s->at) return INPUT_ENDED;
  int negative = MODEL(scan_sign)(s), any = 0;
  if (s->width > 0 && base != 10 && *s->at == '0') {
    s->at++;
    s->width--;
    any = 1;
    if (s->width > 0 && base != 8 && (*s->at | 32) == 'x') {
      s->at++;
      s->width--;
      base = 16;
    } else if (s->width > 0 && base == 0 && s->c23 && (*s->at | 32) == 'b') {
      s->at++;
      s->width--;
      base = 2;
    } else if (base == 0) {
      base = 8;
    }
  }
  if (base == 0) base = 10;
  unsigned long long most = is_signed ? (unsigned long long)LLONG_MAX + (unsigned)negative : ULLONG_MAX;
  struct MODEL(number) n = {0, 0, 0};
  for (unsigned digit; s->width > 0 && (digit = MODEL(digit_value)(*s->at, base)) < base; s->at++, s->width--, any = 1)
    MODEL(push)(&n, digit, base, most);
  if (!any) return MISMATCH;
  if (n.over) {
    n.value = most;
    if (!is_signed) negative = 0;
  }
  MODEL(store_integer)(s, to, negative ? 0 - n.value : n.value);
  return MATCHED;
}

static int MODEL(scan_digits)(struct MODEL(scan) *s, struct MODEL(decimal) *d, int after_point) {
  int any = 0;
  for (; s->width > 0 && MODEL(within)(*s->at, '0', '9'); s->at++, s->width--, any = 1)
    MODEL(push_decimal)(d, (unsigned)(*s->at - '0'), after_point);
  return any;
}

static void MODEL(store_float)(const struct MODEL(scan) *s, void *to, const struct MODEL(decimal) *d, int negative, const char *from) {
  int exact = 0;
  if (s->suppress) return;
  if (s->bytes == 4) {
    float value = MODEL(float_of)(d, &exact);
    *(float *)to = negative ? -value : value;
  } else if (s->bytes == 8) {
    double value = MODEL(double_of)(d, &exact);
    *(double *)to = negative ? -value : value;
  }
  if (exact) return;
  size_t length = (size_t)(s->at - from);
  char *text = malloc(length + 1);
  if (!text) return;
  for (size_t i = 0; i < length; i++) text[i] = from[i];
  text[length] = 0;
  if (s->bytes == 4) *(float *)to = strtof(text, NULL);
  else if (s->bytes == 8) *(double *)to = strtod(text, NULL);
  else *(long double *)to = strtold(text, NULL);
  free(text);
}

/* What the library reads as a number of another kind. */
static int MODEL(scan_other)(struct MODEL(scan) *s, void *to) {
  char format[32];
  int length = 0, read;
  const char *size = s->bytes == 4 ? "" : s->bytes == 8 ? "l" : "L";
  snprintf(format, sizeof format, s->suppress ? "%%*%d%sf%%n" : "%%%d%sf%%n", s->width, size);
  read = s->suppress ? sscanf(s->at, format, &length) : sscanf(s->at, format, to, &length);
  s->at += length;
  return length ? MATCHED : read < 0 ? INPUT_ENDED : MISMATCH;
}

static int MODEL(scan_float)(struct MODEL(scan) *s, void *to) {
  MODEL(skip_space)(s);
  if (!*s->at) return INPUT_ENDED;
  struct MODEL(scan) first = *s;
  struct MODEL(decimal) d = {0, 0, 0, 0};
  int negative = MODEL(scan_sign)(s);
  char c = s->width > 0 ? *s->at : 0;
  if ((c | 32) == 'i' || (c | 32) == 'n' || (c == '0' && s->width > 1 && (s->at[1] | 32) == 'x')) {
    *s = first;
    return MODEL(scan_other)(s, to);
  }
  int any = MODEL(scan_digits)(s, &d, 0);
  if (s->width > 0 && *s->at == '.') {
    s->at++;
    s->width--;
    any |= MODEL(scan_digits)(s, &d, 1);
  }
  if (!any) return MISMATCH;
  if (s->width > 0 && (*s->at | 32) == 'e') {
    struct MODEL(decimal) exponent = {0, 0, 0, 0};
    s->at++;
    s->width--;
    int down = MODEL(scan_sign)(s);
    MODEL(scan_digits)(s, &exponent, 0);
    if (exponent.digits > 4) d.cut = 1;
    d.scale += down ? -(int)exponent.mantissa : (int)exponent.mantissa;
  }
  MODEL(store_float)(s, to, &d, negative, first.at);
  return MATCHED;
}

/* %c: exactly as many characters as the width says. */
static int MODEL(scan_characters)(struct MODEL(scan) *s, char *to, int count) {
  if (!*s->at) return INPUT_ENDED;
  for (; count > 0 && *s->at; count--, s->at++)
    if (!s->suppress) *to++ = *s->at;
  return MATCHED;
}

static int MODEL(scan_word)(struct MODEL(scan) *s, char *to) {
  MODEL(skip_space)(s);
  if (!*s->at) return INPUT_ENDED;
  for (; s->width > 0 && *s->at && !MODEL(space)(*s->at); s->at++, s->width--)
    if (!s->suppress) *to++ = *s->at;
  if (!s->suppress) *to = 0;
  return MATCHED;
}

/* Whether c is in the set that begins at `set` and ends before `end`. */
static unsigned MODEL(in_set)(char c, const char *set, const char *end) {
  unsigned found = 0;
  for (; set < end; set++) {
    if (set + 2 < end && set[1] == '-' && (unsigned char)set[0] <= (unsigned char)set[2]) {
      found |= MODEL(within)((unsigned char)c, (unsigned char)set[0], (unsigned char)set[2]);
      set += 2;
    } else {
      found |= c == *set;
    }
  }
  return found;
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
  if (!*s->at) return INPUT_ENDED;
  const char *first = s->at;
  for (; s->width > 0 && *s->at && MODEL(in_set)(*s->at, set, end) == wanted; s->at++, s->width--)
    if (!s->suppress) *to++ = *s->at;
  if (s->at == first) return MISMATCH;
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

/* One conversion. Wide characters, memory that scanf is to allocate, arguments by number: all UNKNOWN here. */
static int MODEL(scan_one)(struct MODEL(scan) *s, const char **format, void *to) {
  int given = s->width, is_text = s->letter == 'c' || s->letter == 's' || s->letter == '[';
  if (is_text && s->bytes != 4) return UNKNOWN;
  if (!given) s->width = INT_MAX;
  switch (s->letter) {
    case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': case 'p':
      if (s->bytes == 16 || s->letter == 'p') s->bytes = 8;
      return MODEL(scan_integer)(s, to);
    case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A': return MODEL(scan_float)(s, to);
    case 'c': return MODEL(scan_characters)(s, to, given ? given : 1);
    case 's': return MODEL(scan_word)(s, to);
    case '[': return MODEL(scan_set)(s, to, format);
    default: return UNKNOWN;
  }
}

/* The whole format. `s` is left where reading ended. */
static int MODEL(scan_format)(struct MODEL(scan) *s, const char *format, va_list list) {
  const char *whole = format, *text = s->at;
  int stored = 0;
  va_list again;
  va_copy(again, list);
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
      if (!*s->at) return stored ? stored : EOF;
      if (*s->at != *format) return stored;
      s->at++;
      format++;
      continue;
    }
    s->suppress = 0;
    s->bytes = 4;
    format = MODEL(read_directive)(format + 1, s);
    void *to = s->suppress ? NULL : va_arg(list, void *);
    if (s->letter == 'n') {
      MODEL(store_integer)(s, to, (unsigned long long)(s->at - text));
      continue;
    }
    int result = MODEL(scan_one)(s, &format, to);
    if (result == INPUT_ENDED) return stored ? stored : EOF;
    if (result == MISMATCH) return stored;
    if (result == UNKNOWN) return vsscanf(text, whole, again);
    stored += !s->suppress;
  }
  return stored;
}

static int MODEL(scan_all)(const char *text, const char *format, va_list list, int c23) {
  struct MODEL(scan) s = {text, 0, 4, 0, 0, c23};
  return MODEL(scan_format)(&s, format, list);
}

/* The same for streams: *text moves to where reading ended. */
int MODEL(scan_from)(const char **text, const char *format, va_list list, int c23) {
  struct MODEL(scan) s = {*text, 0, 4, 0, 0, c23};
  int stored = MODEL(scan_format)(&s, format, list);
  *text = s.at;
  return stored;
}

#define SCANNER(name, v_name, c23)                                                 \
  int MODEL(v_name)(const char *text, const char *format, va_list list) {          \
    return MODEL(scan_all)(text, format, list, c23);                               \
  }                                                                                \
  int MODEL(name)(const char *text, const char *format, ...) {                     \
    va_list list;                                                                  \
    va_start(list, format);                                                        \
    int n = MODEL(scan_all)(text, format, list, c23);                              \
    va_end(list);                                                                  \
    return n;                                                                      \
  }

SCANNER(sscanf, vsscanf, 0)
SCANNER(__isoc99_sscanf, __isoc99_vsscanf, 0)
SCANNER(__isoc23_sscanf, __isoc23_vsscanf, 1)
