//@ args: --entry doubles
//@ complete: yes
//@ args: --entry floats
//@ complete: yes
//@ args: --entry long_doubles --string 3
//@ complete: no
//@ limit: uninstrumented
// The functions that isnan and its like become in programs that were compiled without their macros.
#include <math.h>
#include <stdlib.h>

#undef isnan
#undef isinf
int __isnan(double), __isinf(double), __finite(double), __fpclassify(double), __signbit(double);
int __isnanf(float), __isinff(float), __finitef(float), __fpclassifyf(float), __signbitf(float);
int __isnanl(long double), __isinfl(long double), __finitel(long double), __fpclassifyl(long double), __signbitl(long double);
int finite(double), isinf(double), isnan(double);

void doubles(double d) {
  if (__isnan(d) || isnan(d)) abort(); //! abort if --entry doubles
  if (__isinf(d) < 0) abort(); //! abort if --entry doubles
  if (isinf(d) > 0) abort(); //! abort if --entry doubles
  if (!__finite(d) || !finite(d)) abort();
  if (__signbit(d) && d == 0) abort(); //! abort if --entry doubles
  if (__fpclassify(d) == FP_SUBNORMAL) abort(); //! abort if --entry doubles
  if (__fpclassify(d) == FP_ZERO && d != 0) abort();
}

void floats(float f) {
  if (__isnanf(f)) abort(); //! abort if floats
  if (__isinff(f)) abort(); //! abort if floats
  if (!__finitef(f)) abort();
  if (__signbitf(f) && __fpclassifyf(f) == FP_ZERO) abort(); //! abort if floats
}

/* Numbers of this type are concrete; whether a text is one is not. */
void long_doubles(const char *text) {
  char *end;
  if (!text) return;
  long double value = strtold(text, &end);
  if (end == text && *text == 'x') abort(); //! abort if long_doubles
  if (__isnanl(value) && __isinfl(value)) abort();
  if (__finitel(value) && __fpclassifyl(value) == FP_INFINITE) abort();
  if (__signbitl(value) && value > 0) abort();
}
