/* Models of the input functions of stdio.h for symbolic files. All other streams are the library's. */
#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int MODEL(scan_from)(const char **text, const char *format, va_list list, int c23);

static int MODEL(next)(struct MODEL(opened) *o) {
  if (o->has_back) {
    o->has_back = 0;
    return o->back;
  }
  if (!MODEL(at_end)(o)) return o->file->data[o->at++];
  o->ended = 1;
  return EOF;
}

/* A symbolic file is only read; whoever writes to it makes a real one of it. */
static FILE *MODEL(open_stream)(const char *name, const char *mode) {
  struct xcute_file *file = MODEL(symbolic_file)(name);
  if (file && (mode[0] != 'r' || strchr(mode, '+'))) {
    file->name = "";
    if (mode[0] != 'w') __xcute_lost_file();
  }
  if (!file || !file->name[0]) return fopen(name, mode);
  FILE *stream = fopen("/dev/null", mode);
  if (stream && !MODEL(remember)(file, stream, fileno(stream))) __xcute_lost_file();
  return stream;
}
FILE *MODEL(fopen)(const char *name, const char *mode) { return MODEL(open_stream)(name, mode); }
FILE *MODEL(fopen64)(const char *name, const char *mode) { return MODEL(open_stream)(name, mode); }

FILE *MODEL(fdopen)(int descriptor, const char *mode) {
  struct MODEL(opened) *o = MODEL(opened_descriptor)(descriptor);
  FILE *stream = fdopen(descriptor, mode);
  if (!o || !stream) return stream;
  if (!o->stream) {
    o->stream = stream;
  } else {
    struct MODEL(opened) *other = MODEL(remember)(o->file, stream, -1);
    if (other) other->at = o->at;
  }
  return stream;
}

FILE *MODEL(freopen)(const char *name, const char *mode, FILE *stream) {
  struct MODEL(opened) *o = MODEL(opened_stream)(stream);
  struct xcute_file *file = name ? MODEL(symbolic_file)(name) : NULL;
  if (o) o->file = NULL;
  if (!file || mode[0] != 'r' || strchr(mode, '+')) return freopen(name, mode, stream);
  stream = freopen("/dev/null", mode, stream);
  if (stream && !MODEL(remember)(file, stream, fileno(stream))) __xcute_lost_file();
  return stream;
}

int MODEL(fclose)(FILE *stream) {
  struct MODEL(opened) *o = MODEL(opened_stream)(stream);
  if (o) o->file = NULL;
  return fclose(stream);
}

static int MODEL(get)(FILE *stream) {
  struct MODEL(opened) *o = MODEL(opened_stream)(stream);
  return o ? MODEL(next)(o) : fgetc(stream);
}
int MODEL(fgetc)(FILE *stream) { return MODEL(get)(stream); }
int MODEL(getc)(FILE *stream) { return MODEL(get)(stream); }
int MODEL(fgetc_unlocked)(FILE *stream) { return MODEL(get)(stream); }
int MODEL(getc_unlocked)(FILE *stream) { return MODEL(get)(stream); }
int MODEL(getchar)(void) { return MODEL(get)(stdin); }
int MODEL(getchar_unlocked)(void) { return MODEL(get)(stdin); }

int MODEL(ungetc)(int c, FILE *stream) {
  struct MODEL(opened) *o = MODEL(opened_stream)(stream);
  if (!o) return ungetc(c, stream);
  if (c == EOF || o->has_back) return EOF;
  o->has_back = 1;
  o->ended = 0;
  return o->back = (unsigned char)c;
}

static char *MODEL(line)(char *to, int n, FILE *stream) {
  struct MODEL(opened) *o = MODEL(opened_stream)(stream);
  if (!o) return fgets(to, n, stream);
  if (n <= 0) return NULL;
  int k = 0;
  while (k < n - 1) {
    int c = MODEL(next)(o);
    if (c == EOF) break;
    to[k++] = (char)c;
    if (c == '\n') break;
  }
  if (k == 0 && n > 1) return NULL;
  to[k] = 0;
  return to;
}
char *MODEL(fgets)(char *to, int n, FILE *stream) { return MODEL(line)(to, n, stream); }
char *MODEL(fgets_unlocked)(char *to, int n, FILE *stream) { return MODEL(line)(to, n, stream); }

static ssize_t MODEL(until)(char **line, size_t *room, int end, FILE *stream) {
  struct MODEL(opened) *o = MODEL(opened_stream)(stream);
  if (!o) return getdelim(line, room, end, stream);
  size_t k = 0;
  if (!*line) *room = 0;
  for (int c = 0; c != end;) {
    if ((c = MODEL(next)(o)) == EOF) break;
    if (k + 2 > *room) {
      size_t more = *room ? 2 * *room : 120;
      char *moved = realloc(*line, more);
      if (!moved) return -1;
      *line = moved;
      *room = more;
    }
    (*line)[k++] = (char)c;
  }
  if (k == 0) return -1;
  (*line)[k] = 0;
  return (ssize_t)k;
}
ssize_t MODEL(getdelim)(char **line, size_t *room, int end, FILE *stream) { return MODEL(until)(line, room, end, stream); }
ssize_t MODEL(__getdelim)(char **line, size_t *room, int end, FILE *stream) { return MODEL(until)(line, room, end, stream); }
ssize_t MODEL(getline)(char **line, size_t *room, FILE *stream) { return MODEL(until)(line, room, '\n', stream); }

static size_t MODEL(block)(void *to, size_t size, size_t n, FILE *stream) {
  struct MODEL(opened) *o = MODEL(opened_stream)(stream);
  if (!o) return fread(to, size, n, stream);
  size_t most = size * n, k = 0;
  if (most == 0) return 0;
  if (o->has_back) ((unsigned char *)to)[k++] = (unsigned char)MODEL(next)(o);
  k += MODEL(take)(o, (char *)to + k, most - k);
  if (k < most) o->ended = 1;
  return k / size;
}
size_t MODEL(fread)(void *to, size_t size, size_t n, FILE *stream) { return MODEL(block)(to, size, n, stream); }
size_t MODEL(fread_unlocked)(void *to, size_t size, size_t n, FILE *stream) { return MODEL(block)(to, size, n, stream); }

static int MODEL(ended)(FILE *stream) {
  struct MODEL(opened) *o = MODEL(opened_stream)(stream);
  return o ? o->ended : feof(stream);
}
int MODEL(feof)(FILE *stream) { return MODEL(ended)(stream); }
int MODEL(feof_unlocked)(FILE *stream) { return MODEL(ended)(stream); }

void MODEL(clearerr)(FILE *stream) {
  struct MODEL(opened) *o = MODEL(opened_stream)(stream);
  if (o) o->ended = 0;
  clearerr(stream);
}

static int MODEL(go)(FILE *stream, long offset, int whence) {
  struct MODEL(opened) *o = MODEL(opened_stream)(stream);
  if (!o) return fseek(stream, offset, whence);
  if (MODEL(move)(o, offset, whence)) return 0;
  errno = EINVAL;
  return -1;
}
int MODEL(fseek)(FILE *stream, long offset, int whence) { return MODEL(go)(stream, offset, whence); }
int MODEL(fseeko)(FILE *stream, off_t offset, int whence) { return MODEL(go)(stream, offset, whence); }
int MODEL(fseeko64)(FILE *stream, off_t offset, int whence) { return MODEL(go)(stream, offset, whence); }

void MODEL(rewind)(FILE *stream) {
  if (MODEL(opened_stream)(stream)) MODEL(go)(stream, 0, SEEK_SET);
  else rewind(stream);
}

static long MODEL(tell)(FILE *stream) {
  struct MODEL(opened) *o = MODEL(opened_stream)(stream);
  return o ? (long)o->at - o->has_back : ftell(stream);
}
long MODEL(ftell)(FILE *stream) { return MODEL(tell)(stream); }
off_t MODEL(ftello)(FILE *stream) { return MODEL(tell)(stream); }
off_t MODEL(ftello64)(FILE *stream) { return MODEL(tell)(stream); }

/* What is left of the file, as a text. Bytes that are missing are its end: that takes no decision. */
static int MODEL(scan_stream)(FILE *stream, const char *format, va_list list, int c23) {
  struct MODEL(opened) *o = MODEL(opened_stream)(stream);
  if (!o) return vfscanf(stream, format, list);
  const struct xcute_file *file = o->file;
  unsigned long left = o->at < file->most ? file->most - o->at : 0, k = 0;
  char *text = malloc(left + 2);
  if (!text) return EOF;
  if (o->has_back) text[k++] = (char)o->back;
  for (unsigned long i = 0; i < left; i++) text[k++] = (char)(file->data[o->at + i] & (0u - (o->at + i + file->missing < file->most)));
  text[k] = 0;
  const char *end = text;
  int read = MODEL(scan_from)(&end, format, list, c23);
  unsigned long used = (unsigned long)(end - text);
  if (used && o->has_back) o->has_back = 0, used--;
  o->at += used;
  if (read == EOF) o->ended = 1;
  free(text);
  return read;
}

#define STREAM_SCANNER(prefix, c23)                                                                        \
  int MODEL(prefix##vfscanf)(FILE *stream, const char *format, va_list list) {                             \
    return MODEL(scan_stream)(stream, format, list, c23);                                                  \
  }                                                                                                        \
  int MODEL(prefix##vscanf)(const char *format, va_list list) {                                            \
    return MODEL(scan_stream)(stdin, format, list, c23);                                                   \
  }                                                                                                        \
  int MODEL(prefix##fscanf)(FILE *stream, const char *format, ...) {                                       \
    va_list list;                                                                                          \
    va_start(list, format);                                                                                \
    int n = MODEL(scan_stream)(stream, format, list, c23);                                                 \
    va_end(list);                                                                                          \
    return n;                                                                                              \
  }                                                                                                        \
  int MODEL(prefix##scanf)(const char *format, ...) {                                                      \
    va_list list;                                                                                          \
    va_start(list, format);                                                                                \
    int n = MODEL(scan_stream)(stdin, format, list, c23);                                                  \
    va_end(list);                                                                                          \
    return n;                                                                                              \
  }
STREAM_SCANNER(, 0)
STREAM_SCANNER(__isoc99_, 0)
STREAM_SCANNER(__isoc23_, 1)
