/* Models of what reads from streams: fgetc, fgets, getline, fread, ungetc. Streams of the library are read by it, a character or a block at a time, and
 * what is stored is checked. */
#define _GNU_SOURCE
#include "streams.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int MODEL(next)(FILE *stream) {
  struct MODEL(stream) *s;
  return IS_OURS(s, stream) ? MODEL(get)(s) : getc(stream);
}
int MODEL(fgetc)(FILE *stream) { return MODEL(next)(stream); }
int MODEL(getc)(FILE *stream) { return MODEL(next)(stream); }
int MODEL(_IO_getc)(FILE *stream) { return MODEL(next)(stream); }
int MODEL(fgetc_unlocked)(FILE *stream) { return MODEL(next)(stream); }
int MODEL(getc_unlocked)(FILE *stream) { return MODEL(next)(stream); }
int MODEL(getchar)(void) { return MODEL(next)(stdin); }
int MODEL(getchar_unlocked)(void) { return MODEL(next)(stdin); }

/* Forgets the errors of a stream of ours, or remembers them; gives those that there were. */
static int MODEL(swap_errors)(FILE *stream, int errors) {
#if XCUTE_FILES
  struct MODEL(stream) *s = MODEL(stream_of)(stream);
  int before = s ? s->flags & STREAM_FAILED : 0;
  if (s) s->flags = (s->flags & ~STREAM_FAILED) | errors;
  return before;
#else
  (void)stream;
  return errors;
#endif
}

static char *MODEL(line)(char *to, int n, FILE *stream) {
  if (n <= 0) return NULL;
  int k = 0, before = MODEL(swap_errors)(stream, 0);
  while (k < n - 1) {
    int c = MODEL(next)(stream);
    if (c == EOF) break;
    to[k++] = (char)c;
    if (c == '\n') break;
  }
  int errors = MODEL(swap_errors)(stream, 0);
  MODEL(swap_errors)(stream, before | errors);
  if (n > 1 && (k == 0 || (errors && errno != EAGAIN))) return NULL;
  to[k] = 0;
  return to;
}
char *MODEL(fgets)(char *to, int n, FILE *stream) { return MODEL(line)(to, n, stream); }
char *MODEL(fgets_unlocked)(char *to, int n, FILE *stream) { return MODEL(line)(to, n, stream); }
char *MODEL(__fgets_chk)(char *to, size_t room, int n, FILE *stream) { (void)room; return MODEL(line)(to, n, stream); }
char *MODEL(__fgets_unlocked_chk)(char *to, size_t room, int n, FILE *stream) { (void)room; return MODEL(line)(to, n, stream); }

char *MODEL(gets)(char *to) {
  int k = 0, c;
  while ((c = MODEL(next)(stdin)) != EOF && c != '\n') to[k++] = (char)c;
  if (c == EOF && k == 0) return NULL;
  to[k] = 0;
  return to;
}

/* Room for a line of this many bytes, as much as the library would take. */
static int MODEL(line_room)(char **line, size_t *room, size_t needed) {
  if (*line && needed <= *room) return 1;
  if (needed < 2 * *room) needed = 2 * *room;
  char *moved = realloc(*line, needed);
  if (!moved) return 0;
  *line = moved;
  *room = needed;
  return 1;
}

static int MODEL(has_failed)(FILE *stream) { return XCUTE_FILES ? MODEL(ferror)(stream) : ferror(stream); }

static ssize_t MODEL(until)(char **line, size_t *room, int end, FILE *stream) {
  size_t k = 0;
  if (!line || !room) {
    errno = EINVAL;
    return -1;
  }
  if (MODEL(has_failed)(stream)) return -1;
  if (!*line || !*room) {
    *room = 0;
    if (!MODEL(line_room)(line, room, 120)) return -1;
  }
  for (int c; (c = MODEL(next)(stream)) != EOF;) {
    if (!MODEL(line_room)(line, room, k + 2)) return -1;
    (*line)[k++] = (char)c;
    if (c == (unsigned char)end) break;
  }
  if (k == 0) return -1;
  (*line)[k] = 0;
  return (ssize_t)k;
}
ssize_t MODEL(getdelim)(char **line, size_t *room, int end, FILE *stream) { return MODEL(until)(line, room, end, stream); }
ssize_t MODEL(__getdelim)(char **line, size_t *room, int end, FILE *stream) { return MODEL(until)(line, room, end, stream); }
ssize_t MODEL(getline)(char **line, size_t *room, FILE *stream) { return MODEL(until)(line, room, '\n', stream); }

static size_t MODEL(blocks)(void *to, size_t size, size_t n, FILE *stream) {
  struct MODEL(stream) *s;
  size = __xcute_choose(size);
  n = __xcute_choose(n);
  size_t bytes = size * n;
  if (!bytes) return 0;
  return (IS_OURS(s, stream) ? MODEL(get_block)(s, to, bytes) : __xcute_fetch(to, bytes, stream)) / size;
}
size_t MODEL(fread)(void *to, size_t size, size_t n, FILE *stream) { return MODEL(blocks)(to, size, n, stream); }
size_t MODEL(fread_unlocked)(void *to, size_t size, size_t n, FILE *stream) { return MODEL(blocks)(to, size, n, stream); }
size_t MODEL(__fread_chk)(void *to, size_t room, size_t size, size_t n, FILE *stream) { (void)room; return MODEL(blocks)(to, size, n, stream); }
size_t MODEL(__fread_unlocked_chk)(void *to, size_t room, size_t size, size_t n, FILE *stream) { (void)room; return MODEL(blocks)(to, size, n, stream); }

int MODEL(getw)(FILE *stream) {
  int word;
  return MODEL(blocks)(&word, sizeof word, 1, stream) == 1 ? word : EOF;
}
