//@ args: --entry rest --string 3
//@ complete: yes
// Functions that are seldom used: each is given a text that the solver has to find.
#define _GNU_SOURCE
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int write_text(char *to, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = size > 8 ? vsprintf(to, format, list) : vsnprintf(to, size, format, list);
  va_end(list);
  return n;
}

static int read_text(const char *from, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsscanf(from, format, list);
  va_end(list);
  return n;
}

void rest(const char *t, unsigned char which) {
  char a[8], b[16];
  int n;
  if (!t) return;
  switch (which) {
    case 0: if (*strchrnul(t, 'k') == 'k' && t[1] == 'k') abort(); break; //! abort
    case 1: if (stpcpy(a, t) == a + 3 && a[2] == '!') abort(); break; //! abort
    case 2: if (!strcmp(strndup(t, 2), "hm")) abort(); break; //! abort
    case 3: if (memrchr(t, '/', 3) == t + 1) abort(); break; //! abort
    case 4: memcpy(a, t, 4); memmove(a + 1, a, 3); memset(a, 'x', 1); if (!memcmp(a, "xyz", 3)) abort(); break; //! abort
    case 5: if (memccpy(a, t, ':', 3) == a + 2) abort(); break; //! abort
    case 6: if (bcmp(t, "qed", 3) == 0) abort(); break; //! abort
    case 7: if (!isascii((unsigned char)t[0]) && toascii((unsigned char)t[0]) == '1') abort(); break; //! abort
    case 8: if (isblank((unsigned char)t[0]) && t[0] != ' ') abort(); break; //! abort
    case 9: if (atol(t) == 612) abort(); break; //! abort
    case 10: if (strtoll(t, NULL, 36) == 36 * 35) abort(); break; //! abort
    case 11: if (strtoull(t, NULL, 16) == 0xfe) abort(); break; //! abort
    case 12: if (llabs(strtol(t, NULL, 10)) == 61 && t[0] == '-') abort(); break; //! abort
    case 13: if (div(t[0], 7).quot == 5 && div(t[0], 7).rem == 6) abort(); break; //! abort
    case 14: if (ldiv(t[0], -9).rem == -8) abort(); break; //! abort
    case 15: if (lldiv(t[0] * 3ll, 100).quot == 2) abort(); break; //! abort
    case 16: if (write_text(b, 16, "%s:%x", t, (unsigned char)t[0]) == 6 && b[4] == '4' && b[5] == 'b') abort(); break; //! abort
    case 17: if (write_text(a, 4, "%c%03d", t[0], t[1] & 63) == 4 && a[2] == '3' && a[0] == '=') abort(); break; //! abort
    case 18: if (read_text(t, "%1x%n", &n, &n) == 1 && n == 2) abort(); break; //! abort
  }
}
