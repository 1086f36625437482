//@ args: --entry converted
//@ complete: no
//@ limit: uninstrumented
//@ args: --entry widened
//@ complete: yes
//@ args: --entry gathered
//@ complete: yes
//@ args: --entry zoned
//@ complete: no
//@ limit: uninstrumented
//@ args: --entry asked
//@ complete: no
//@ limit: uninstrumented
//@ args: --entry large
//@ complete: no
//@ limit: uninstrumented
//@ args: --entry own
//@ complete: no
//@ limit: uninstrumented
//@ args: --entry replaced
//@ complete: no
//@ limit: uninstrumented
//@ args: --entry named
//@ complete: yes
//@ args: --entry timed
//@ complete: yes
//@ args: --entry compared
//@ complete: yes
// What functions of the library reach through pointers to pointers, or remember, keeps a search from being complete. What they cannot see does not,
// nor do functions that have models.
#define _GNU_SOURCE
#include <iconv.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

void converted(char c) {
  char in[1] = {c}, out[8] = {0};
  char *from = in, *to = out;
  size_t left = 1, room = sizeof out;
  iconv_t how = iconv_open("UTF-16LE", "UTF-8");
  if (how == (iconv_t)-1) return;
  iconv(how, &from, &left, &to, &room);
  iconv_close(how);
  if (out[0] == 77) abort();
}

void widened(char c) {
  char text[2] = {c, 0};
  const char *at = text;
  wchar_t wide[2] = {0};
  mbstate_t state = {0};
  mbsrtowcs(wide, &at, 2, &state);
  if (wide[0] == 77) abort(); //! abort if widened
}

void gathered(char c) {
  int ends[2];
  if (pipe(ends)) return;
  struct iovec part = {&c, 1};
  char d = 0;
  if (writev(ends[1], &part, 1) == 1 && read(ends[0], &d, 1) == 1 && d == 77) abort(); //! abort if gathered
}

/* The library keeps the string, and looks at it later. */
void zoned(char c) {
  static char zone[] = "TZ=UTC0";
  putenv(zone);
  zone[6] = c;
  time_t now = 0;
  if (localtime(&now)->tm_hour == 5) abort();
}

/* A number that is an address. */
void asked(char c) {
  int ends[2];
  if (pipe(ends)) return;
  char d = 0;
  if (syscall(SYS_write, ends[1], &c, 1) == 1 && read(ends[0], &d, 1) == 1 && d == 77) abort();
}

/* Far behind the beginning of a large object. */
void large(char c) {
  static char text[200000];
  memset(text, 'a', sizeof text - 1);
  text[150000] = c;
  if (strcoll(text, "b") == 77) abort();
}

/* Memory of the library. */
void own(int hour) {
  time_t now = 0;
  struct tm *time = gmtime(&now);
  time->tm_hour = hour;
  if (asctime(time)[11] == '7') abort();
}

/* A variable of the library that leads to the program's memory. */
void replaced(char c) {
  char zone[] = "TZ=UTC0", *all[] = {zone, 0};
  environ = all;
  zone[6] = c;
  time_t now = 0;
  if (localtime(&now)->tm_hour == 5) abort();
}

/* The environment is looked through by a model: the string is the program's. */
void named(char c) {
  static char variable[] = "A=x";
  putenv(variable);
  variable[0] = c;
  char *value = getenv("B");
  if (value && *value == 'x') abort(); //! abort if named
}

void timed(int x) {
  struct timespec now;
  char directory[64];
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (getcwd(directory, sizeof directory) && x == 77) abort(); //! abort if timed
}

/* What the function that is called back decides are paths. */
static int wanted;
static int compare(const void *a, const void *b) { return wanted == 77 ? 0 : *(const int *)a - *(const int *)b; }

void compared(int x) {
  int key = 9, all[2] = {1, 2};
  size_t n = 2;
  wanted = x;
  if (lfind(&key, all, &n, sizeof *all, compare)) abort(); //! abort if compared
}
