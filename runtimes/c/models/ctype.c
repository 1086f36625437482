/* Models of ctype.h in the C locale, without decisions. The results are the very bits of the GNU C library, from 0 upwards. */
#include "models.h"

static unsigned MODEL(letter)(int c) { return MODEL(within)(c, 'A', 'Z') | MODEL(within)(c, 'a', 'z'); }

static unsigned MODEL(digit)(int c) { return MODEL(within)(c, '0', '9'); }

static unsigned MODEL(graph)(int c) { return MODEL(within)(c, 0x21, 0x7e); }

int MODEL(isblank)(int c) { return (int)((c == ' ') | (c == '\t')); }

int MODEL(iscntrl)(int c) { return (int)((MODEL(within)(c, 0, 0x1f) | (c == 0x7f)) << 1); }

int MODEL(ispunct)(int c) { return (int)((MODEL(graph)(c) & ~(MODEL(letter)(c) | MODEL(digit)(c))) << 2); }

int MODEL(isalnum)(int c) { return (int)((MODEL(letter)(c) | MODEL(digit)(c)) << 3); }

int MODEL(isupper)(int c) { return (int)(MODEL(within)(c, 'A', 'Z') << 8); }

int MODEL(islower)(int c) { return (int)(MODEL(within)(c, 'a', 'z') << 9); }

int MODEL(isalpha)(int c) { return (int)(MODEL(letter)(c) << 10); }

int MODEL(isdigit)(int c) { return (int)(MODEL(digit)(c) << 11); }

int MODEL(isxdigit)(int c) {
  return (int)((MODEL(digit)(c) | MODEL(within)(c, 'A', 'F') | MODEL(within)(c, 'a', 'f')) << 12);
}

int MODEL(isspace)(int c) { return (int)((MODEL(within)(c, '\t', '\r') | (c == ' ')) << 13); }

int MODEL(isprint)(int c) { return (int)(MODEL(within)(c, 0x20, 0x7e) << 14); }

int MODEL(isgraph)(int c) { return (int)(MODEL(graph)(c) << 15); }

int MODEL(tolower)(int c) { return MODEL(lower)(c); }

int MODEL(toupper)(int c) { return c - (int)(MODEL(within)(c, 'a', 'z') << 5); }

int MODEL(isascii)(int c) { return (int)MODEL(within)(c, 0, 0x7f); }

int MODEL(toascii)(int c) { return c & 0x7f; }
