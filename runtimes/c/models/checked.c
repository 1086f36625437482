/* Models of what `_FORTIFY_SOURCE` makes of calls: the same functions with the size of the object, which needs no second check here. */
#include "models.h"

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

char *MODEL(strcpy)(char *to, const char *from);
char *MODEL(stpcpy)(char *to, const char *from);
char *MODEL(strncpy)(char *to, const char *from, size_t n);
char *MODEL(strcat)(char *to, const char *from);
char *MODEL(strncat)(char *to, const char *from, size_t n);
int MODEL(vsnprintf)(char *to, size_t size, const char *format, va_list list);

void *MODEL(__memcpy_chk)(void *to, const void *from, size_t n, size_t room) { (void)room; return memcpy(to, from, n); }

void *MODEL(__memmove_chk)(void *to, const void *from, size_t n, size_t room) { (void)room; return memmove(to, from, n); }

void *MODEL(__memset_chk)(void *to, int c, size_t n, size_t room) { (void)room; return memset(to, c, n); }

char *MODEL(__strcpy_chk)(char *to, const char *from, size_t room) { (void)room; return MODEL(strcpy)(to, from); }

char *MODEL(__stpcpy_chk)(char *to, const char *from, size_t room) { (void)room; return MODEL(stpcpy)(to, from); }

char *MODEL(__strncpy_chk)(char *to, const char *from, size_t n, size_t room) { (void)room; return MODEL(strncpy)(to, from, n); }

char *MODEL(__strcat_chk)(char *to, const char *from, size_t room) { (void)room; return MODEL(strcat)(to, from); }

char *MODEL(__strncat_chk)(char *to, const char *from, size_t n, size_t room) { (void)room; return MODEL(strncat)(to, from, n); }

int MODEL(__vsnprintf_chk)(char *to, size_t size, int flag, size_t room, const char *format, va_list list) {
  (void)flag, (void)room;
  return MODEL(vsnprintf)(to, size, format, list);
}

int MODEL(__vsprintf_chk)(char *to, int flag, size_t room, const char *format, va_list list) {
  (void)flag, (void)room;
  return MODEL(vsnprintf)(to, SIZE_MAX, format, list);
}

int MODEL(__snprintf_chk)(char *to, size_t size, int flag, size_t room, const char *format, ...) {
  (void)flag, (void)room;
  va_list list;
  va_start(list, format);
  int n = MODEL(vsnprintf)(to, size, format, list);
  va_end(list);
  return n;
}

int MODEL(__sprintf_chk)(char *to, int flag, size_t room, const char *format, ...) {
  (void)flag, (void)room;
  va_list list;
  va_start(list, format);
  int n = MODEL(vsnprintf)(to, SIZE_MAX, format, list);
  va_end(list);
  return n;
}
