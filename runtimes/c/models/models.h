/* What the models of library functions share.
 *
 * A model stands in for a function of the C library that the program under test calls and does not define: it is instrumented like the
 * program itself, so values stay symbolic in it. The instrumenter links the model of `f`, which is called `xcm_f`, only where `f` is called.
 *
 * **Invariant.** Every function here is called `xcm_…` (by MODEL): that is how its decisions are kept out of the program's coverage and its
 * frames out of stacks. A model that means another model names it so; the plain name is the library's own function, where exactness ends.
 * What can be computed without a decision is: each decision multiplies paths. */
#ifndef XCUTE_MODELS_H
#define XCUTE_MODELS_H

#include <stddef.h>

#define MODEL(name) xcm_##name

/* Whether `from <= c <= to`, in one comparison. */
static inline unsigned MODEL(within)(int c, int from, int to) { return (unsigned)c - (unsigned)from <= (unsigned)to - (unsigned)from; }

/* Upper case letters become lower case. */
static inline int MODEL(lower)(int c) { return c + (int)(MODEL(within)(c, 'A', 'Z') << 5); }

/* Whether isspace holds. */
static inline int MODEL(space)(char c) { return (int)(MODEL(within)(c, '\t', '\r') | (c == ' ')); }

/* The value of a digit, whatever its base; what is not a digit has a value of at least 36. */
static inline unsigned MODEL(digit_value)(char at, unsigned base) {
  unsigned c = (unsigned char)at, decimal = c - '0', letter = (c | 32) - 'a';
  if (base <= 10) return decimal;
  unsigned other = decimal | (0u - (decimal > 9)), is_letter = 0u - (letter < 26);
  return (is_letter & (letter + 10)) | (~is_letter & other);
}

/* An integer that is read digit by digit. */
struct MODEL(number) {
  unsigned long long value;
  unsigned digits;
  int over;
};

/* This many digits of any base are less than every limit. */
#define XCM_SAFE 12

static inline void MODEL(push)(struct MODEL(number) *n, unsigned digit, unsigned base, unsigned long long most) {
  if (n->digits++ >= XCM_SAFE && !n->over && (n->value > most / base || (n->value == most / base && digit > most % base))) n->over = 1;
  if (!n->over) n->value = n->value * base + digit;
}

/* A decimal fraction that is read digit by digit: mantissa * 10^scale. */
struct MODEL(decimal) {
  unsigned long long mantissa;
  int digits; /* how many the mantissa holds, leading zeros among them */
  int cut;    /* whether there were more than it can hold */
  int scale;
};

#define XCM_MANTISSA 18 /* digits */

static inline void MODEL(push_decimal)(struct MODEL(decimal) *d, unsigned digit, int after_point) {
  if (d->digits < XCM_MANTISSA) {
    d->mantissa = d->mantissa * 10 + digit;
    d->digits++;
    d->scale -= after_point;
  } else {
    d->cut = 1;
  }
}

/* floats.c: the number that it is, where one rounding gives it; else `exact` becomes 0. */
double MODEL(double_of)(const struct MODEL(decimal) *d, int *exact);
float MODEL(float_of)(const struct MODEL(decimal) *d, int *exact);

#endif
