/* Models of err.h and error.h: what they print goes to standard error, and where they end the program the run ends as exit ends it. */
#define _GNU_SOURCE
#include "models.h"

#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int MODEL(unread_fprintf)(FILE *stream, const char *format, ...);
int MODEL(unread_vfprintf)(FILE *stream, const char *format, va_list list);
int MODEL(strcmp)(const char *a, const char *b);

/* "program: text: why"; `why` may be missing. */
static void MODEL(warning)(const char *format, va_list list, const char *why) {
  MODEL(unread_fprintf)(stderr, "%s: ", program_invocation_short_name);
  if (format) MODEL(unread_vfprintf)(stderr, format, list);
  if (why) MODEL(unread_fprintf)(stderr, format ? ": %s" : "%s", why);
  MODEL(unread_fprintf)(stderr, "\n");
}

void MODEL(vwarn)(const char *format, va_list list) {
  int number = errno;
  MODEL(warning)(format, list, strerror(number));
  errno = number;
}

void MODEL(vwarnx)(const char *format, va_list list) { MODEL(warning)(format, list, NULL); }

_Noreturn void MODEL(verr)(int status, const char *format, va_list list) {
  MODEL(vwarn)(format, list);
  exit(status);
}

_Noreturn void MODEL(verrx)(int status, const char *format, va_list list) {
  MODEL(vwarnx)(format, list);
  exit(status);
}

void MODEL(warn)(const char *format, ...) {
  va_list list;
  va_start(list, format);
  MODEL(vwarn)(format, list);
  va_end(list);
}

void MODEL(warnx)(const char *format, ...) {
  va_list list;
  va_start(list, format);
  MODEL(vwarnx)(format, list);
  va_end(list);
}

_Noreturn void MODEL(err)(int status, const char *format, ...) {
  va_list list;
  va_start(list, format);
  MODEL(verr)(status, format, list);
}

_Noreturn void MODEL(errx)(int status, const char *format, ...) {
  va_list list;
  va_start(list, format);
  MODEL(verrx)(status, format, list);
}

/* The rest of what error and error_at_line print, after the program's name. */
static void MODEL(report)(int status, int number, const char *format, va_list list) {
  MODEL(unread_vfprintf)(stderr, format, list);
  error_message_count++;
  if (number) MODEL(unread_fprintf)(stderr, ": %s", strerror(number));
  MODEL(unread_fprintf)(stderr, "\n");
  if (status) exit(status);
}

void MODEL(error)(int status, int number, const char *format, ...) {
  va_list list;
  va_start(list, format);
  if (error_print_progname) error_print_progname();
  else MODEL(unread_fprintf)(stderr, "%s: ", program_invocation_name);
  MODEL(report)(status, number, format, list);
  va_end(list);
}

void MODEL(error_at_line)(int status, int number, const char *file, unsigned line, const char *format, ...) {
  static const char *last_file;
  static unsigned last_line;
  if (error_one_per_line) {
    int same = last_line == line && (file == last_file || (last_file && file && MODEL(strcmp)(last_file, file) == 0));
    if (same) return;
    last_file = file;
    last_line = line;
  }
  va_list list;
  va_start(list, format);
  if (error_print_progname) error_print_progname();
  else MODEL(unread_fprintf)(stderr, "%s:", program_invocation_name);
  if (file) MODEL(unread_fprintf)(stderr, "%s:%u: ", file, line);
  else MODEL(unread_fprintf)(stderr, " ");
  MODEL(report)(status, number, format, list);
  va_end(list);
}
