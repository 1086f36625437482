//@ args: --entry ends
//@ complete: yes
//@ runs: 9
//@ args: --entry goes_on
//@ complete: yes
// Functions that complain, and end the program: a run ends there, and the next one needs no new process.
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <stdlib.h>

static void with_list(int how, const char *format, ...) {
  va_list list;
  va_start(list, format);
  if (how == 0) verr(1, format, list);
  if (how == 1) verrx(1, format, list);
  if (how == 2) vwarn(format, list);
  if (how == 3) vwarnx(format, list);
  va_end(list);
}

void ends(unsigned char how) {
  switch (how) {
    case 1: err(1, "%d", how);
    case 2: errx(how, "%s", "two");
    case 3: error(3, ENOENT, "three");
    case 4: error_at_line(4, 0, "file", 4, "%c", '4');
    case 5: with_list(0, "%d", 5);
    case 6: with_list(1, "%d", 6);
    case 7: return;
  }
  if (how == 0x70) abort(); //! abort if ends
}

void goes_on(unsigned char how) {
  warn("%d", how);
  warnx("%x", how);
  with_list(2, "%d", how);
  with_list(3, "%d", how);
  error(0, 0, "%u", how);
  error_at_line(0, 0, "file", 1, "%u", how);
  if (error_message_count != 2) abort();
  if (how == 0x71) abort(); //! abort if goes_on
}
