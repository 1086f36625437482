/* Formatted text: what is written stays symbolic.
 *
 * How long a number gets is a decision, its digits are not. Floating-point numbers are written by the library itself, concretely; so is
 * what the C standard does not know. */
#include "streams.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

static void MODEL(emit)(struct MODEL(output) *out, char c) {
  if (XCUTE_FILES && out->s) out->failed |= MODEL(put)(out->s, c) == EOF;
  else if (out->size && out->n < out->size - 1) out->to[out->n] = c;
  out->n++;
}

/* To a stream in the pieces in which the library writes it. */
static void MODEL(emit_block)(struct MODEL(output) *out, const char *text, size_t n) {
  if (XCUTE_FILES && out->s) {
    out->failed |= MODEL(put_block)(out->s, text, n) != n;
    out->n += n;
    return;
  }
  for (size_t i = 0; i < n; i++) MODEL(emit)(out, text[i]);
}

static void MODEL(emit_many)(struct MODEL(output) *out, char c, long count) {
  enum { AT_ONCE = 16 };
  char many[AT_ONCE];
  if (!XCUTE_FILES || !out->s) {
    for (; count > 0; count--) MODEL(emit)(out, c);
    return;
  }
  for (int i = 0; i < AT_ONCE; i++) many[i] = c;
  for (; count > 0; count -= AT_ONCE) MODEL(emit_block)(out, many, count < AT_ONCE ? (size_t)count : AT_ONCE);
}

/* One conversion: what stands between the percent sign and its letter. */
struct MODEL(conversion) {
  int left, plus, blank, form, zero; /* the flags - + space # 0 */
  int width, precision;              /* precision -1: none */
  int bytes;                         /* of an integer */
  int wide;                          /* l: wide characters; L: long double */
  char letter;
};

/* Text between spaces that make it as wide as it should be. */
static void MODEL(put_text)(struct MODEL(output) *out, const struct MODEL(conversion) *c, const char *text, size_t length) {
  long space = (long)c->width - (long)length;
  if (!c->left) MODEL(emit_many)(out, ' ', space);
  MODEL(emit_block)(out, text, length);
  if (c->left) MODEL(emit_many)(out, ' ', space);
}

/* The digits of a number, written towards `end`; gives their first. Comparisons with powers of ten tell how many there are, and dividing
 * 32 bits is much easier for a solver than 64. */
static char *MODEL(decimal_digits)(unsigned long long value, int bytes, char *end) {
  int length = 1;
  if (bytes <= 4 || value <= UINT32_MAX) {
    uint32_t v = (uint32_t)value;
    for (uint32_t power = 10; length < 10 && v >= power; power *= 10) length++;
    for (; length > 1; length--) {
      uint32_t rest = v / 10;
      *--end = (char)('0' + (v - rest * 10));
      v = rest;
    }
    *--end = (char)('0' + v);
    return end;
  }
  for (unsigned long long power = 10; length < 20 && value >= power; power *= 10) length++;
  for (; length > 1; length--) {
    unsigned long long rest = value / 10;
    *--end = (char)('0' + (value - rest * 10));
    value = rest;
  }
  *--end = (char)('0' + value);
  return end;
}

/* The same for bases that are powers of two. */
static char *MODEL(binary_digits)(unsigned long long value, unsigned bits, int capital, char *end) {
  do {
    unsigned digit = (unsigned)(value & ((1u << bits) - 1));
    *--end = (char)('0' + digit + (digit > 9) * (capital ? 7u : 39u));
    value >>= bits;
  } while (value);
  return end;
}

static void MODEL(put_integer)(struct MODEL(output) *out, const struct MODEL(conversion) *c, unsigned long long value, char sign) {
  char digits[72], *end = digits + sizeof digits, *first = end;
  char letter = c->letter == 'p' ? 'x' : c->letter;
  int form = c->form || c->letter == 'p';
  const char *prefix = "";
  if (c->precision != 0 || value) {
    if (letter == 'x' || letter == 'X') first = MODEL(binary_digits)(value, 4, letter == 'X', end);
    else if (letter == 'o') first = MODEL(binary_digits)(value, 3, 0, end);
    else if (letter == 'b' || letter == 'B') first = MODEL(binary_digits)(value, 1, 0, end);
    else first = MODEL(decimal_digits)(value, c->bytes, end);
  }
  if (form && letter == 'o' && (first == end || value)) *--first = '0';
  if (form && letter != 'o' && letter != 'd' && value) prefix = letter == 'x' ? "0x" : letter == 'X' ? "0X" : letter == 'b' ? "0b" : "0B";
  long length = end - first, zeros = c->precision > length ? c->precision - length : 0;
  long used = length + zeros + (sign != 0) + (*prefix ? 2 : 0);
  if (c->zero && !c->left && c->precision < 0 && c->width > used) {
    zeros = c->width - used;
    used = c->width;
  }
  if (!c->left) MODEL(emit_many)(out, ' ', c->width - used);
  if (sign) MODEL(emit)(out, sign);
  for (; *prefix; prefix++) MODEL(emit)(out, *prefix);
  MODEL(emit_many)(out, '0', zeros);
  MODEL(emit_block)(out, first, (size_t)(end - first));
  if (c->left) MODEL(emit_many)(out, ' ', c->width - used);
}

/* What the library makes of a conversion is asked for twice: how long it is, and what it is. */
#define BY_LIBRARY(out, ...)                                                       \
  do {                                                                             \
    int size_ = snprintf(NULL, 0, __VA_ARGS__);                                    \
    char *text_ = size_ < 0 ? NULL : malloc((size_t)size_ + 1);                    \
    if (!text_) return 0;                                                          \
    snprintf(text_, (size_t)size_ + 1, __VA_ARGS__);                               \
    MODEL(emit_block)(out, text_, (size_t)size_);                                  \
    free(text_);                                                                   \
  } while (0)

/* The conversion as the library is to see it: width and precision are arguments. */
static void MODEL(spell)(const struct MODEL(conversion) *c, char *to) {
  *to++ = '%';
  if (c->left) *to++ = '-';
  if (c->plus) *to++ = '+';
  if (c->blank) *to++ = ' ';
  if (c->form) *to++ = '#';
  if (c->zero) *to++ = '0';
  *to++ = '*';
  *to++ = '.';
  *to++ = '*';
  if (c->wide) *to++ = c->wide == 2 ? 'L' : 'l';
  *to++ = c->letter;
  *to = 0;
}

static int MODEL(count)(const char **at) {
  int n = 0;
  for (; MODEL(within)(**at, '0', '9'); ++*at) n = n > INT_MAX / 10 - 1 ? INT_MAX : n * 10 + (**at - '0');
  return n;
}

/* Reads a conversion from behind its percent sign; gives what is behind its letter. */
static const char *MODEL(read_conversion)(const char *at, struct MODEL(conversion) *c, va_list list) {
  for (;; at++) {
    if (*at == '-') c->left = 1;
    else if (*at == '+') c->plus = 1;
    else if (*at == ' ') c->blank = 1;
    else if (*at == '#') c->form = 1;
    else if (*at == '0') c->zero = 1;
    else if (*at != '\'' && *at != 'I') break;
  }
  if (*at == '*') {
    at++;
    c->width = va_arg(list, int);
    if (c->width < 0) {
      c->left = 1;
      c->width = -c->width;
    }
  } else {
    c->width = MODEL(count)(&at);
  }
  if (*at == '.') {
    if (*++at == '*') {
      at++;
      c->precision = va_arg(list, int);
      if (c->precision < 0) c->precision = -1;
    } else {
      c->precision = MODEL(count)(&at);
    }
  }
  for (;; at++) {
    if (*at == 'h') c->bytes = c->bytes == 2 ? 1 : 2;
    else if (*at == 'l') c->bytes = 8, c->wide = 1;
    else if (*at == 'L' || *at == 'q') c->bytes = 8, c->wide = 2;
    else if (*at == 'j' || *at == 'z' || *at == 't') c->bytes = 8;
    else break;
  }
  c->letter = *at;
  return *at ? at + 1 : at;
}

static void MODEL(put_signed)(struct MODEL(output) *out, struct MODEL(conversion) *c, va_list list) {
  long long value = c->bytes == 8 ? va_arg(list, long long) : va_arg(list, int);
  if (c->bytes == 1) value = (signed char)value;
  if (c->bytes == 2) value = (short)value;
  c->letter = 'd';
  if (value < 0) MODEL(put_integer)(out, c, 0ull - (unsigned long long)value, '-');
  else MODEL(put_integer)(out, c, (unsigned long long)value, c->plus ? '+' : c->blank ? ' ' : 0);
}

static void MODEL(put_unsigned)(struct MODEL(output) *out, struct MODEL(conversion) *c, va_list list) {
  unsigned long long value = c->bytes == 8 ? va_arg(list, unsigned long long) : va_arg(list, unsigned);
  if (c->bytes == 1) value = (unsigned char)value;
  if (c->bytes == 2) value = (unsigned short)value;
  if (c->letter == 'u') c->letter = 'd';
  MODEL(put_integer)(out, c, value, 0);
}

static void MODEL(put_pointer)(struct MODEL(output) *out, struct MODEL(conversion) *c, void *pointer) {
  c->bytes = 8;
  if (pointer) MODEL(put_integer)(out, c, (unsigned long long)pointer, c->plus ? '+' : c->blank ? ' ' : 0);
  else MODEL(put_text)(out, c, "(nil)", 5);
}

static void MODEL(put_string)(struct MODEL(output) *out, const struct MODEL(conversion) *c, const char *text) {
  size_t length = 0, most = c->precision < 0 ? SIZE_MAX : (size_t)c->precision;
  if (!text) text = c->precision < 0 || c->precision >= 6 ? "(null)" : "";
  while (length < most && text[length]) length++;
  MODEL(put_text)(out, c, text, length);
}

static void MODEL(store_count)(const struct MODEL(conversion) *c, void *to, size_t n) {
  if (c->bytes == 8) *(long long *)to = (long long)n;
  else if (c->bytes == 4) *(int *)to = (int)n;
  else if (c->bytes == 2) *(short *)to = (short)n;
  else *(signed char *)to = (signed char)n;
}

/* Floating-point numbers and wide characters; 0: the library does not want it. */
static int MODEL(put_other)(struct MODEL(output) *out, struct MODEL(conversion) *c, va_list list) {
  char spelled[24];
  if (c->wide == 1 && c->letter != 'c' && c->letter != 's') c->wide = 0;
  MODEL(spell)(c, spelled);
  if (c->letter == 's') {
    void *text = va_arg(list, void *);
    BY_LIBRARY(out, spelled, c->width, c->precision, text);
  } else if (c->letter == 'c') {
    int character = va_arg(list, int);
    BY_LIBRARY(out, spelled, c->width, c->precision, character);
  } else if (c->wide) {
    long double value = va_arg(list, long double);
    BY_LIBRARY(out, spelled, c->width, c->precision, value);
  } else {
    double value = va_arg(list, double);
    BY_LIBRARY(out, spelled, c->width, c->precision, value);
  }
  return 1;
}

/* errno's text, and what no standard knows: no argument belongs to it. */
static int MODEL(put_odd)(struct MODEL(output) *out, const char *from, const char *to) {
  char whole[64];
  size_t length = 0;
  for (; from < to && length < sizeof whole - 1; from++) whole[length++] = *from;
  whole[length] = 0;
  BY_LIBRARY(out, whole, 0);
  return 1;
}

/* Writes one conversion; 0: it cannot be written. */
static int MODEL(put_conversion)(struct MODEL(output) *out, struct MODEL(conversion) *c, va_list list, const char *from, const char *to) {
  switch (c->letter) {
    case '%': MODEL(emit)(out, '%'); return 1;
    case 'd': case 'i': MODEL(put_signed)(out, c, list); return 1;
    case 'u': case 'x': case 'X': case 'o': case 'b': case 'B': MODEL(put_unsigned)(out, c, list); return 1;
    case 'p': MODEL(put_pointer)(out, c, va_arg(list, void *)); return 1;
    case 'n': MODEL(store_count)(c, va_arg(list, void *), out->n); return 1;
    case 's':
      if (c->wide) return MODEL(put_other)(out, c, list);
      MODEL(put_string)(out, c, va_arg(list, const char *));
      return 1;
    case 'c': {
      if (c->wide) return MODEL(put_other)(out, c, list);
      char one = (char)va_arg(list, int);
      MODEL(put_text)(out, c, &one, 1);
      return 1;
    }
    case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A': return MODEL(put_other)(out, c, list);
    default: return MODEL(put_odd)(out, from, to);
  }
}

/* Arguments by number (`%2$s`) are the library's; it is shown those in registers, so that the report says what it was given. */
static int MODEL(by_number)(struct MODEL(output) *out, const char *format, va_list list, va_list again) {
  long any = 0;
  va_list first;
  va_copy(first, again);
  for (int i = 0; i < 3; i++) any |= va_arg(list, long);
  snprintf(NULL, 0, "%ld", any);
  int size = vsnprintf(NULL, 0, format, first);
  va_end(first);
  char *text = size < 0 ? NULL : malloc((size_t)size + 1);
  if (!text) return 0;
  vsnprintf(text, (size_t)size + 1, format, again);
  if ((size_t)size > out->n) MODEL(emit_block)(out, text + out->n, (size_t)size - out->n); /* what comes before the first conversion is there already */
  free(text);
  return 1;
}

int MODEL(write_format)(struct MODEL(output) *out, const char *format, va_list list) {
  va_list again;
  va_copy(again, list);
  for (const char *at = format; *at;) {
    const char *from = at;
    while (*at && *at != '%') at++;
    MODEL(emit_block)(out, from, (size_t)(at - from));
    if (!*at) break;
    struct MODEL(conversion) c = {0, 0, 0, 0, 0, 0, -1, 4, 0, 0};
    from = at;
    at = MODEL(read_conversion)(from + 1, &c, list);
    if (c.letter == '$') {
      if (!MODEL(by_number)(out, format, list, again)) return -1;
      break;
    }
    if (!MODEL(put_conversion)(out, &c, list, from, at)) return -1;
  }
  va_end(again);
  if (out->n <= INT_MAX) return out->failed ? -1 : (int)out->n;
  errno = EOVERFLOW;
  return -1;
}

/* Takes an argument that nothing is to be done with. */
static void MODEL(skip_argument)(const struct MODEL(conversion) *c, va_list list) {
  switch (c->letter) {
    case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
      if (c->wide == 2) (void)va_arg(list, long double);
      else (void)va_arg(list, double);
      return;
    case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': case 'b': case 'B': case 'p': case 'c': case 'C': case 's': case 'S':
      (void)va_arg(list, long);
      return;
    default: return;
  }
}

int MODEL(check_format)(const char *format, va_list list) {
  for (const char *at = format; *at;) {
    if (*at++ != '%') continue;
    struct MODEL(conversion) c = {0, 0, 0, 0, 0, 0, -1, 4, 0, 0};
    at = MODEL(read_conversion)(at, &c, list);
    if (c.letter == '$') return 1;
    if (c.letter == 'n') return 0;
    if (c.letter != 's' || c.wide) {
      MODEL(skip_argument)(&c, list);
      continue;
    }
    const char *text = va_arg(list, const char *);
    if (text) __xcute_text(text, c.precision < 0 ? -1ul : (unsigned long)c.precision);
  }
  return 1;
}
