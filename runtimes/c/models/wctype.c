/* Models of wctype.h: characters of ASCII without decisions. Others belong to no class in the C locale, and are the library's elsewhere. */
#define _GNU_SOURCE
#include "models.h"

#include <locale.h>
#include <string.h>
#include <wctype.h>

/* Whether the locale knows characters beyond ASCII. */
static int MODEL(is_rich)(void) {
  const char *name = setlocale(LC_CTYPE, NULL);
  return name && strcmp(name, "C") != 0 && strcmp(name, "POSIX") != 0;
}

#define CLASS(name)                                                     \
  int MODEL(is##name)(int c);                                           \
  int MODEL(isw##name)(wint_t c) {                                      \
    if (MODEL(is_rich)() && c >= 0x80 && c != WEOF) return isw##name(c); \
    return MODEL(is##name)((int)c);                                     \
  }
CLASS(alnum)
CLASS(alpha)
CLASS(blank)
CLASS(cntrl)
CLASS(digit)
CLASS(graph)
CLASS(lower)
CLASS(print)
CLASS(punct)
CLASS(space)
CLASS(upper)
CLASS(xdigit)

#define CASE(name)                                                      \
  int MODEL(to##name)(int c);                                           \
  wint_t MODEL(tow##name)(wint_t c) {                                   \
    if (MODEL(is_rich)() && c >= 0x80 && c != WEOF) return tow##name(c); \
    return (wint_t)MODEL(to##name)((int)c);                             \
  }
CASE(lower)
CASE(upper)

/* Classes have the library's numbers: what is not one of ours is passed on. */
int MODEL(iswctype)(wint_t c, wctype_t class) {
#define IS(name) if (class == wctype(#name)) return MODEL(isw##name)(c);
  IS(alnum) IS(alpha) IS(blank) IS(cntrl) IS(digit) IS(graph) IS(lower) IS(print) IS(punct) IS(space) IS(upper) IS(xdigit)
  return iswctype(c, class);
}
