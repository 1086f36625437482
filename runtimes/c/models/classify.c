/* Models of the functions behind isnan, isinf, isfinite, fpclassify and signbit, without decisions. Values of long double are concrete. */
#include "models.h"

#include <stdint.h>

enum { IS_NAN, IS_INFINITE, IS_ZERO, IS_SUBNORMAL, IS_NORMAL }; /* as in math.h */

#define INFINITE(x) (((x) == __builtin_inf()) | ((x) == -__builtin_inf()))

/* `least` is the smallest normal number; `sign` is what the library gives where the sign is set. */
#define CLASSIFY(type, suffix, least, bits, top, sign)                                                        \
  int MODEL(__isnan##suffix)(type x) { return x != x; }                                                       \
  int MODEL(isnan##suffix)(type x) { return x != x; }                                                         \
  int MODEL(__isinf##suffix)(type x) { return (x == __builtin_inf()) - (x == -__builtin_inf()); }             \
  int MODEL(isinf##suffix)(type x) { return (x == __builtin_inf()) - (x == -__builtin_inf()); }               \
  int MODEL(__finite##suffix)(type x) { return (int)((unsigned)(x == x) & (unsigned)!INFINITE(x)); }          \
  int MODEL(finite##suffix)(type x) { return (int)((unsigned)(x == x) & (unsigned)!INFINITE(x)); }            \
  int MODEL(__fpclassify##suffix)(type x) {                                                                   \
    int small = (int)((unsigned)(x < least) & (unsigned)(x > -least)), infinite = INFINITE(x);                \
    return (x == x) * (IS_NORMAL - small * (IS_NORMAL - IS_SUBNORMAL) - (x == 0) - infinite * (IS_NORMAL - IS_INFINITE)); \
  }                                                                                                           \
  int MODEL(__signbit##suffix)(type x) {                                                                      \
    union { type value; bits word; } both = {x};                                                              \
    return (int)(both.word >> top) * sign;                                                                    \
  }

CLASSIFY(double, , 0x1p-1022, uint64_t, 63, 128)
CLASSIFY(float, f, 0x1p-126f, uint32_t, 31, 8)

int MODEL(__isnanl)(long double x) { return (x != x) * 0xffff; } /* as the library has it */
int MODEL(isnanl)(long double x) { return (x != x) * 0xffff; }
int MODEL(__isinfl)(long double x) { return (x == __builtin_inf()) - (x == -__builtin_inf()); }
int MODEL(isinfl)(long double x) { return (x == __builtin_inf()) - (x == -__builtin_inf()); }
int MODEL(__finitel)(long double x) { return x == x && !INFINITE(x); }
int MODEL(finitel)(long double x) { return x == x && !INFINITE(x); }
int MODEL(__signbitl)(long double x) { return __builtin_signbitl(x) ? 512 : 0; }

int MODEL(__fpclassifyl)(long double x) {
  if (x != x) return IS_NAN;
  if (INFINITE(x)) return IS_INFINITE;
  if (x == 0) return IS_ZERO;
  return x < 0x1p-16382L && x > -0x1p-16382L ? IS_SUBNORMAL : IS_NORMAL;
}
