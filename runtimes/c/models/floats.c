/* Models of strtod and its like.
 *
 * W. Clinger, "How to read floating point numbers accurately" (1990): where the digits are an integer that the type holds exactly, and so is
 * the power of ten, one multiplication or division gives the correctly rounded number. All other texts are read by the library itself. */
#include "models.h"

#include <stdlib.h>

enum { EXACT_DOUBLE = 22, EXACT_FLOAT = 10, SURE_DOUBLE = 15, SURE_FLOAT = 7, EXPONENT_DIGITS = 4 };

static const double MODEL(tens)[EXACT_DOUBLE + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                                     1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static const float MODEL(float_tens)[EXACT_FLOAT + 1] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f};

double MODEL(double_of)(const struct MODEL(decimal) *d, int *exact) {
  *exact = !d->cut && (d->digits <= SURE_DOUBLE || d->mantissa <= 1ull << 53) && MODEL(within)(d->scale, -EXACT_DOUBLE, EXACT_DOUBLE);
  if (!*exact) return 0;
  double mantissa = (double)(long long)d->mantissa;
  if (d->scale == 0) return mantissa;
  return d->scale < 0 ? mantissa / MODEL(tens)[-d->scale] : mantissa * MODEL(tens)[d->scale];
}

float MODEL(float_of)(const struct MODEL(decimal) *d, int *exact) {
  *exact = !d->cut && (d->digits <= SURE_FLOAT || d->mantissa <= 1ull << 24) && MODEL(within)(d->scale, -EXACT_FLOAT, EXACT_FLOAT);
  if (!*exact) return 0;
  float mantissa = (float)(long long)d->mantissa;
  if (d->scale == 0) return mantissa;
  return d->scale < 0 ? mantissa / MODEL(float_tens)[-d->scale] : mantissa * MODEL(float_tens)[d->scale];
}

enum MODEL(text_kind) { NO_NUMBER, PLAIN_NUMBER, OTHER_NUMBER /* hexadecimal, infinite, NaN, a huge exponent */ };

static int MODEL(decimal_digit)(char c) { return (int)MODEL(within)(c, '0', '9'); }

/* Reads a number; `s` is behind it then. */
static enum MODEL(text_kind) MODEL(read_decimal)(const char **at, struct MODEL(decimal) *d, int *negative) {
  const char *s = *at;
  int any = 0;
  while (MODEL(space)(*s)) s++;
  if (*s == '-') {
    *negative = 1;
    s++;
  } else if (*s == '+') {
    s++;
  }
  if (*s == '0' && (s[1] | 32) == 'x') return OTHER_NUMBER;
  for (; MODEL(decimal_digit)(*s); s++, any = 1) MODEL(push_decimal)(d, (unsigned)(*s - '0'), 0);
  if (*s == '.') {
    const char *point = s++;
    for (; MODEL(decimal_digit)(*s); s++, any = 1) MODEL(push_decimal)(d, (unsigned)(*s - '0'), 1);
    if (!any) s = point;
  }
  if (!any) return (*s | 32) == 'i' || (*s | 32) == 'n' ? OTHER_NUMBER : NO_NUMBER;
  *at = s;
  if ((*s | 32) != 'e') return PLAIN_NUMBER;
  s++;
  int down = *s == '-', exponent = 0, length = 0;
  if (down || *s == '+') s++;
  for (; MODEL(decimal_digit)(*s); s++) {
    if (++length > EXPONENT_DIGITS) return OTHER_NUMBER;
    exponent = exponent * 10 + (*s - '0');
  }
  if (!length) return PLAIN_NUMBER;
  d->scale += down ? -exponent : exponent;
  *at = s;
  return PLAIN_NUMBER;
}

#define READER(type, name, of)                                                     \
  type MODEL(name)(const char *text, char **end) {                                 \
    const char *s = text;                                                          \
    struct MODEL(decimal) d = {0, 0, 0, 0};                                        \
    int negative = 0, exact = 0;                                                   \
    enum MODEL(text_kind) kind = MODEL(read_decimal)(&s, &d, &negative);           \
    if (kind == NO_NUMBER) {                                                       \
      if (end) *end = (char *)text;                                                \
      return 0;                                                                    \
    }                                                                              \
    type value = kind == PLAIN_NUMBER ? MODEL(of)(&d, &exact) : 0;                 \
    if (!exact) return name(text, end);                                            \
    if (end) *end = (char *)s;                                                     \
    return negative ? -value : value;                                              \
  }

READER(double, strtod, double_of)
READER(float, strtof, float_of)

/* Numbers of this type are concrete; where they end, and whether there is one, is not. */
long double MODEL(strtold)(const char *text, char **end) {
  const char *s = text;
  struct MODEL(decimal) d = {0, 0, 0, 0};
  int negative = 0;
  if (MODEL(read_decimal)(&s, &d, &negative) != NO_NUMBER) return strtold(text, end);
  if (end) *end = (char *)text;
  return 0;
}

/* Other names of the same. */
double MODEL(strtof64)(const char *text, char **end) { return MODEL(strtod)(text, end); }
double MODEL(strtof32x)(const char *text, char **end) { return MODEL(strtod)(text, end); }
float MODEL(strtof32)(const char *text, char **end) { return MODEL(strtof)(text, end); }

double MODEL(atof)(const char *text) { return MODEL(strtod)(text, NULL); }
