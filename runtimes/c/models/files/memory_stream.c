/* Models of fmemopen and open_memstream: streams on the program's memory, and on memory that becomes the program's. */
#define _GNU_SOURCE
#include "stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

size_t MODEL(strnlen)(const char *s, size_t most);

struct MODEL(memory) {
  unsigned char *data;
  unsigned long size;      /* fmemopen: of the buffer; open_memstream: room */
  unsigned long at, end;   /* end: of what there is */
  int appends, is_own;
  char **text;             /* open_memstream: where the program is told */
  size_t *length;
};

static FILE *MODEL(begin_memory)(struct MODEL(memory) *m, int flags) {
  FILE *handle = m ? fmemopen(NULL, 1, "w+") : NULL;
  struct MODEL(stream) *s = MODEL(new_stream)(handle, -1, flags | STREAM_USED);
  if (!s) return NULL;
  s->memory = m;
  return handle;
}

FILE *MODEL(fmemopen)(void *buffer, size_t size, const char *mode) {
  int plus = 0;
  size = __xcute_choose(size);
  for (const char *c = mode; *c; c++) plus |= *c == '+';
  if (*mode != 'r' && *mode != 'w' && *mode != 'a') {
    errno = EINVAL;
    return NULL;
  }
  struct MODEL(memory) *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->data = buffer ? buffer : calloc(1, size ? size : 1);
  m->is_own = !buffer;
  m->size = size;
  if (buffer && mode[0] == 'w' && mode[1] == '+') m->data[0] = 0;
  m->end = *mode == 'r' ? size : *mode == 'w' ? 0 : MODEL(strnlen)((const char *)m->data, size);
  m->appends = *mode == 'a';
  m->at = m->appends ? m->end : 0;
  int reads = *mode == 'r' || plus, writes = *mode != 'r' || plus;
  return MODEL(begin_memory)(m, (reads ? STREAM_READS : 0) | (writes ? STREAM_WRITES : 0) | (m->appends ? STREAM_APPENDS : 0));
}

enum { FIRST_ROOM = 8192 };

FILE *MODEL(open_memstream)(char **text, size_t *length) {
  struct MODEL(memory) *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->data = calloc(1, FIRST_ROOM);
  m->size = FIRST_ROOM;
  m->text = text;
  m->length = length;
  return MODEL(begin_memory)(m, STREAM_WRITES | STREAM_UNBUFFERED);
}

long MODEL(memory_read)(struct MODEL(memory) *m, void *to, unsigned long n) {
  unsigned long left = m->at < m->end ? m->end - m->at : 0;
  if (n > left) n = left;
  memcpy(to, m->data + m->at, n);
  m->at += n;
  return (long)n;
}

/* Room for a byte more than that, which is zero like all that nobody wrote. */
static int MODEL(grow)(struct MODEL(memory) *m, unsigned long n) {
  if (n < m->size) return 1;
  unsigned long room = 2 * m->size + 100;
  if (room <= n) room = n + 1;
  unsigned char *data = calloc(1, room);
  if (!data) return 0;
  memcpy(data, m->data, m->size);
  free(m->data);
  m->data = data;
  m->size = room;
  return 1;
}

long MODEL(memory_write)(struct MODEL(memory) *m, const void *from, unsigned long n) {
  const unsigned char *bytes = from;
  if (m->text) {
    if (!MODEL(grow)(m, m->at + n)) return -1;
  } else {
    unsigned long at = m->appends ? m->end : m->at;
    int ends = n == 0 || bytes[n - 1] != 0;
    if (at + n > m->size) {
      if (m->at + (unsigned)ends >= m->size) {
        errno = ENOSPC;
        return 0;
      }
      n = m->size - at;
    }
    memcpy(m->data + at, bytes, n);
    m->at = at + n;
    if (m->at > m->end) {
      m->end = m->at;
      if (m->end < m->size && ends) m->data[m->end] = 0;
      else if (!m->appends && ends) m->data[m->size - 1] = 0;
    }
    return (long)n;
  }
  memcpy(m->data + m->at, bytes, n);
  m->at += n;
  if (m->at > m->end) m->end = m->at;
  return (long)n;
}

long MODEL(memory_seek)(struct MODEL(memory) *m, long offset, int whence) {
  long to = whence == SEEK_SET ? offset : offset + (long)(whence == SEEK_CUR ? m->at : m->end);
  if (to < 0 || (!m->text && (unsigned long)to > m->size)) {
    errno = EINVAL;
    return -1;
  }
  to = (long)__xcute_choose((unsigned long)to);
  if (m->text && !MODEL(grow)(m, (unsigned long)to)) return -1;
  m->at = (unsigned long)to;
  return to;
}

void MODEL(memory_publish)(struct MODEL(memory) *m) {
  if (!m->text) return;
  *m->text = (char *)m->data;
  *m->length = m->at;
}

unsigned long MODEL(memory_pending)(const struct MODEL(memory) *m) { return m->text ? m->at : 0; }

void MODEL(memory_close)(struct MODEL(memory) *m) {
  if (m->text) {
    unsigned char *fitting = realloc(m->data, m->at + 1);
    if (fitting) m->data = fitting;
    m->data[m->at] = 0;
    MODEL(memory_publish)(m);
  } else if (m->is_own) {
    free(m->data);
  }
  free(m);
}
