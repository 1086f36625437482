/* Models of printf and its like.
 *
 * What goes to the standard streams is written by the library, and the texts among its arguments are checked. Where somebody looks at the
 * number of characters, it is computed here. The names that begin with `unread_` are for calls whose result nobody uses; those with `plain_` are for the
 * ones among them whose formats are known to store nothing: they do not need all that writes a format. */
#define _GNU_SOURCE
#include "streams.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

static int MODEL(counted)(const char *format, va_list list) {
  struct MODEL(output) out = {NULL, 0, 0, NULL, 0};
  return MODEL(write_format)(&out, format, list);
}

static int MODEL(print)(FILE *stream, const char *format, va_list list, int is_read) {
  struct MODEL(stream) *s;
  if (IS_OURS(s, stream)) {
    struct MODEL(output) out = {NULL, 0, 0, s, 0};
    return MODEL(write_format)(&out, format, list);
  }
  va_list again;
  va_copy(again, list);
  int plain = MODEL(check_format)(format, again), n = 0;
  va_end(again);
  if (!__xcute_standard(stream)) return vfprintf(stream, format, list);
  if (is_read || !plain) {
    va_copy(again, list);
    n = MODEL(counted)(format, again);
    va_end(again);
  }
  return __xcute_print(stream, format, list) < 0 ? -1 : n;
}

/* All at once, as the library does it. */
static int MODEL(print_to)(int descriptor, const char *format, va_list list, int is_read) {
  va_list again;
  va_copy(again, list);
  descriptor = (int)__xcute_choose((unsigned)descriptor);
  int ours = XCUTE_FILES && MODEL(opened_at)(descriptor), outside = !ours && (descriptor == 1 || descriptor == 2);
  if (outside && MODEL(check_format)(format, again) && !is_read) return __xcute_print_to(descriptor, format, list);
  va_copy(again, list);
  int n = MODEL(counted)(format, again);
  char *text = n < 0 ? NULL : malloc((size_t)n + 1);
  va_end(again);
  if (!text) return -1;
  struct MODEL(output) out = {text, (size_t)n + 1, 0, NULL, 0};
  MODEL(write_format)(&out, format, list);
  long sent = MODEL(write)(descriptor, text, (size_t)n);
  free(text);
  return sent < 0 ? -1 : n;
}

#define PRINTER(name, is_read)                                                                       \
  int MODEL(name##vfprintf)(FILE *stream, const char *format, va_list list) {                        \
    return MODEL(print)(stream, format, list, is_read);                                              \
  }                                                                                                  \
  int MODEL(name##__vfprintf_chk)(FILE *stream, int flag, const char *format, va_list list) {        \
    (void)flag;                                                                                      \
    return MODEL(print)(stream, format, list, is_read);                                              \
  }                                                                                                  \
  int MODEL(name##vprintf)(const char *format, va_list list) {                                       \
    return MODEL(print)(stdout, format, list, is_read);                                              \
  }                                                                                                  \
  int MODEL(name##__vprintf_chk)(int flag, const char *format, va_list list) {                       \
    (void)flag;                                                                                      \
    return MODEL(print)(stdout, format, list, is_read);                                              \
  }                                                                                                  \
  int MODEL(name##vdprintf)(int descriptor, const char *format, va_list list) {                      \
    return MODEL(print_to)(descriptor, format, list, is_read);                                       \
  }                                                                                                  \
  int MODEL(name##__vdprintf_chk)(int descriptor, int flag, const char *format, va_list list) {      \
    (void)flag;                                                                                      \
    return MODEL(print_to)(descriptor, format, list, is_read);                                       \
  }                                                                                                  \
  int MODEL(name##printf)(const char *format, ...) VARIADIC(format, MODEL(print)(stdout, format, list, is_read))                       \
  int MODEL(name##fprintf)(FILE *stream, const char *format, ...) VARIADIC(format, MODEL(print)(stream, format, list, is_read))        \
  int MODEL(name##dprintf)(int to, const char *format, ...) VARIADIC(format, MODEL(print_to)(to, format, list, is_read))               \
  int MODEL(name##__printf_chk)(int flag, const char *format, ...) VARIADIC(format, ((void)flag, MODEL(print)(stdout, format, list, is_read)))                    \
  int MODEL(name##__fprintf_chk)(FILE *stream, int flag, const char *format, ...) VARIADIC(format, ((void)flag, MODEL(print)(stream, format, list, is_read)))     \
  int MODEL(name##__dprintf_chk)(int to, int flag, const char *format, ...) VARIADIC(format, ((void)flag, MODEL(print_to)(to, format, list, is_read)))

#define VARIADIC(last, body) \
  {                          \
    va_list list;            \
    va_start(list, last);    \
    int n = body;            \
    va_end(list);            \
    return n;                \
  }

PRINTER(, 1)
PRINTER(unread_, 0)

static int MODEL(print_plain)(FILE *stream, const char *format, va_list list) {
  if (XCUTE_FILES) return MODEL(print)(stream, format, list, 0);
  va_list again;
  va_copy(again, list);
  MODEL(check_format)(format, again);
  va_end(again);
  return __xcute_standard(stream) ? __xcute_print(stream, format, list) : vfprintf(stream, format, list);
}
int MODEL(plain_printf)(const char *format, ...) VARIADIC(format, MODEL(print_plain)(stdout, format, list))
int MODEL(plain_fprintf)(FILE *stream, const char *format, ...) VARIADIC(format, MODEL(print_plain)(stream, format, list))
int MODEL(plain___printf_chk)(int flag, const char *format, ...) VARIADIC(format, ((void)flag, MODEL(print_plain)(stdout, format, list)))
int MODEL(plain___fprintf_chk)(FILE *stream, int flag, const char *format, ...) VARIADIC(format, ((void)flag, MODEL(print_plain)(stream, format, list)))

/* To memory. */
int MODEL(vsnprintf)(char *to, size_t size, const char *format, va_list list) {
  struct MODEL(output) out = {to, size, 0, NULL, 0};
  int n = MODEL(write_format)(&out, format, list);
  if (size) to[out.n < size ? out.n : size - 1] = 0;
  return n;
}
int MODEL(vsprintf)(char *to, const char *format, va_list list) { return MODEL(vsnprintf)(to, SIZE_MAX, format, list); }
int MODEL(snprintf)(char *to, size_t size, const char *format, ...) VARIADIC(format, MODEL(vsnprintf)(to, size, format, list))
int MODEL(sprintf)(char *to, const char *format, ...) VARIADIC(format, MODEL(vsnprintf)(to, SIZE_MAX, format, list))

int MODEL(vasprintf)(char **to, const char *format, va_list list) {
  va_list again;
  va_copy(again, list);
  int n = MODEL(counted)(format, again);
  va_end(again);
  char *text = n < 0 ? NULL : malloc((size_t)n + 1);
  if (!text) return -1;
  *to = text;
  return MODEL(vsnprintf)(text, (size_t)n + 1, format, list);
}
int MODEL(asprintf)(char **to, const char *format, ...) VARIADIC(format, MODEL(vasprintf)(to, format, list))
int MODEL(__asprintf_chk)(char **to, int flag, const char *format, ...) VARIADIC(format, ((void)flag, MODEL(vasprintf)(to, format, list)))
int MODEL(__vasprintf_chk)(char **to, int flag, const char *format, va_list list) {
  (void)flag;
  return MODEL(vasprintf)(to, format, list);
}
