#include "colours.h"

#include <ctype.h>
#include <string.h>
#if HAVE_STRCASECMP
#include <strings.h>
#else
#define strcasecmp strcmp
#endif

static const struct { const char *name; int value; } known[] = {{"red", 0xf00}, {"lime", 0x0f0}, {"blue", 0x00f}};

int colour_of(const char *name) {
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (strcasecmp(known[i].name, name) == 0) return known[i].value;
  return -1;
}

int colour_hex(const char *digits) {
  int value = 0;
  for (; isxdigit((unsigned char)*digits); digits++) value = 16 * value + (isdigit((unsigned char)*digits) ? *digits - '0' : (*digits | 32) - 'a' + 10);
  return *digits ? -1 : value;
}
