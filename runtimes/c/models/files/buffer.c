/* The buffer of a stream: filling and emptying it (underflow, overflow, xsputn and xsgetn of glibc's fileops.c). */
#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

long MODEL(device_read)(struct MODEL(stream) *s, void *to, unsigned long n) {
  if (s->memory && !(s->flags & STREAM_READS)) {
    errno = EBADF;
    return -1;
  }
  long k = s->memory ? MODEL(memory_read)(s->memory, to, n) : MODEL(take)(s->descriptor, to, n);
  if (k > 0 && s->offset >= 0) s->offset += k;
  return k;
}

/* How much there is in a file whose length is symbolic is not decided here. */
long MODEL(device_fill)(struct MODEL(stream) *s, unsigned long n) {
  struct MODEL(opened) *o = s->memory ? NULL : MODEL(opened_at)(s->descriptor);
  int is_input = o && o->file->is_input && (o->flags & O_ACCMODE) != O_WRONLY;
  unsigned long there;
  s->start = is_input ? (long)o->at : -1;
  long k = is_input ? MODEL(file_fill)(o->file, s->descriptor, o->at, s->buffer, n, &there) : MODEL(device_read)(s, s->buffer, n);
  s->read_end = s->filled = k > 0 ? (unsigned long)k : 0;
  if (!is_input || k <= 0) return k;
  o->at += there;
  s->read_end = there;
  if (s->offset >= 0) s->offset += (long)there;
  return k;
}

/* All of it, as far as that can be: this many bytes were written. Memory is not asked twice. */
long MODEL(device_write)(struct MODEL(stream) *s, const void *from, unsigned long n) {
  unsigned long done = 0;
  for (long k = 1; k > 0 && done < n; done += k > 0 ? (unsigned long)k : 0) {
    const unsigned char *rest = (const unsigned char *)from + done;
    if (s->memory && done) break;
    k = s->memory ? MODEL(memory_write)(s->memory, rest, n - done) : MODEL(give)(s->descriptor, rest, n - done);
  }
  if (done < n) s->flags |= STREAM_FAILED;
  if (s->offset >= 0) s->offset += (long)done;
  return (long)done;
}

long MODEL(device_seek)(struct MODEL(stream) *s, long offset, int whence) {
  return s->memory ? MODEL(memory_seek)(s->memory, offset, whence) : MODEL(seek)(s->descriptor, offset, whence);
}

static unsigned char *MODEL(spare); /* the buffer of a stream that was closed: memory of a run is not used twice otherwise */

void MODEL(need_buffer)(struct MODEL(stream) *s) {
  if (s->buffer) return;
  s->room = s->flags & STREAM_UNBUFFERED ? 1 : s->memory ? 2 * XCM_BLOCK : XCM_BLOCK;
  if (s->room == XCM_BLOCK && MODEL(spare)) {
    s->buffer = MODEL(spare);
    MODEL(spare) = NULL;
  } else {
    s->buffer = s->room == 1 ? NULL : malloc(s->room);
  }
  if (!s->buffer) {
    s->buffer = &s->one;
    s->room = 1;
  }
  MODEL(empty)(s);
}

void MODEL(leave_buffer)(struct MODEL(stream) *s) {
  if (!s->buffer || s->buffer == &s->one || s->flags & STREAM_GIVEN) return;
  if (s->room == XCM_BLOCK && !MODEL(spare)) MODEL(spare) = s->buffer;
  else free(s->buffer);
  s->buffer = NULL;
}

void MODEL(empty)(struct MODEL(stream) *s) {
  s->read = s->read_end = s->filled = 0;
  s->write_base = s->write = s->write_end = 0;
  s->tested = 0;
  s->start = -1;
}

/* A length that is symbolic is decided where the buffer is to be written to. */
static void MODEL(settle_end)(struct MODEL(stream) *s) {
  if (s->read_end != s->filled) s->read_end = s->filled = __xcute_choose(s->read_end);
}

/* This many bytes go out; the buffer is empty afterwards, whatever it was. */
static unsigned long MODEL(write_out)(struct MODEL(stream) *s, const void *from, unsigned long n) {
  if (s->flags & STREAM_APPENDS) {
    s->offset = -1;
  } else if (s->read_end != s->write_base) {
    long now = MODEL(device_seek)(s, (long)s->write_base - (long)s->read_end, SEEK_CUR);
    if (now < 0) return 0;
    s->offset = now;
  }
  unsigned long k = (unsigned long)MODEL(device_write)(s, from, n);
  MODEL(empty)(s);
  s->write_end = s->flags & (STREAM_LINES | STREAM_UNBUFFERED) ? 0 : s->room;
  return k;
}

int MODEL(flush)(struct MODEL(stream) *s) {
  unsigned long n = s->write - s->write_base;
  return !n || MODEL(write_out)(s, s->buffer + s->write_base, n) == n ? 0 : EOF;
}

int MODEL(to_reading)(struct MODEL(stream) *s) {
  if (s->write > s->write_base && MODEL(flush)(s) == EOF) return EOF;
  if (s->flags & STREAM_PUTTING) {
    /* What is behind the last byte that was written may be read. */
    if (s->write > s->read_end) s->read_end = s->filled = s->write;
    s->read = s->write;
    s->write_base = s->write_end = s->write;
  }
  s->flags &= ~STREAM_PUTTING;
  return 0;
}

int MODEL(underflow)(struct MODEL(stream) *s) {
  s->flags |= STREAM_USED;
  if (s->flags & STREAM_PUTTING && MODEL(to_reading)(s) == EOF) return EOF;
  if (s->read < s->filled) return 0;
  if (s->flags & STREAM_ENDED) return EOF;
  if (!(s->flags & STREAM_READS)) {
    s->flags |= STREAM_FAILED;
    errno = EBADF;
    return EOF;
  }
  MODEL(need_buffer)(s);
  MODEL(empty)(s);
  long n = MODEL(device_fill)(s, s->room);
  if (n > 0) return 0;
  s->flags |= n < 0 ? STREAM_FAILED : STREAM_ENDED;
  if (n == 0) s->offset = -1;
  return EOF;
}

int MODEL(peek)(struct MODEL(stream) *s) {
  if (s->n_back) return s->back[s->n_back - 1];
  s->flags &= ~STREAM_BACK;
  if (s->flags & STREAM_PUTTING || s->read >= s->filled)
    if (MODEL(underflow)(s) == EOF) return EOF;
  s->tested = 1;
  return s->buffer[s->read] | (0 - (s->read >= s->read_end));
}

void MODEL(pass)(struct MODEL(stream) *s) {
  s->tested = 0;
  if (s->n_back) s->n_back--;
  else s->read++;
}

int MODEL(get)(struct MODEL(stream) *s) {
  int c = MODEL(peek)(s);
  if (c == EOF) {
    if (s->read < s->filled) s->flags |= STREAM_ENDED; /* of a length that was open until now */
    return EOF;
  }
  MODEL(pass)(s);
  return c;
}

/* Into the buffer, or, where it is too much for that, past it. */
unsigned long MODEL(get_block)(struct MODEL(stream) *s, void *to, unsigned long n) {
  unsigned char *at = to;
  unsigned long done = 0;
  while (done < n && s->n_back) at[done++] = s->back[--s->n_back];
  if (done < n) s->flags &= ~STREAM_BACK;
  while (done < n) {
    unsigned long wanted = n - done, have = s->flags & STREAM_PUTTING ? 0 : s->filled - s->read;
    if (have) {
      if (wanted < have) have = wanted;
      if (s->read + have > s->read_end) {
        MODEL(settle_end)(s);
        have = s->read_end - s->read;
      }
      memcpy(at + done, s->buffer + s->read, have);
      s->read += have;
      done += have;
      s->tested = 0;
      if (have) continue;
    }
    MODEL(need_buffer)(s);
    if (wanted < s->room) {
      if (MODEL(underflow)(s) == EOF) break;
      continue;
    }
    if (MODEL(to_reading)(s) == EOF) break;
    MODEL(empty)(s);
    if (s->room >= 128) wanted -= wanted % s->room;
    long k = MODEL(device_read)(s, at + done, wanted);
    if (k <= 0) {
      s->flags |= k < 0 ? STREAM_FAILED : STREAM_ENDED;
      break;
    }
    done += (unsigned long)k;
  }
  return done;
}

/* The buffer is for writing from now on, and there is room for a byte. */
static int MODEL(to_writing)(struct MODEL(stream) *s) {
  s->flags |= STREAM_USED;
  if (!(s->flags & STREAM_WRITES)) {
    s->flags |= STREAM_FAILED;
    errno = EBADF;
    return EOF;
  }
  if (s->flags & STREAM_PUTTING && s->buffer) return 0;
  MODEL(need_buffer)(s);
  MODEL(settle_end)(s);
  s->read -= s->n_back < s->read ? s->n_back : s->read;
  s->n_back = 0;
  s->flags &= ~STREAM_BACK;
  if (s->read == s->room) s->read = s->read_end = s->filled = 0;
  s->write = s->write_base = s->read;
  s->write_end = s->flags & (STREAM_LINES | STREAM_UNBUFFERED) ? s->write : s->room;
  s->read = s->filled = s->read_end;
  s->flags |= STREAM_PUTTING;
  return 0;
}

int MODEL(put)(struct MODEL(stream) *s, int c) {
  if (MODEL(to_writing)(s) == EOF) return EOF;
  if (s->write == s->room && MODEL(flush)(s) == EOF) return EOF;
  s->buffer[s->write++] = (unsigned char)c;
  if (s->flags & STREAM_UNBUFFERED || (s->flags & STREAM_LINES && (unsigned char)c == '\n'))
    if (MODEL(flush)(s) == EOF) return EOF;
  return (unsigned char)c;
}

unsigned long MODEL(put_block)(struct MODEL(stream) *s, const void *from, unsigned long n) {
  const unsigned char *at = from;
  unsigned long left = n, room = 0;
  int ends = 0;
  if (!n) return 0;
  if (s->flags & STREAM_LINES && s->flags & STREAM_PUTTING) {
    room = s->room - s->write;
    if (room >= n)
      for (unsigned long k = n; k > 0; k--)
        if (at[k - 1] == '\n') {
          room = k;
          ends = 1;
          break;
        }
  } else if (s->write_end > s->write) {
    room = s->write_end - s->write;
  }
  if (room) {
    if (room > left) room = left;
    memcpy(s->buffer + s->write, at, room);
    s->write += room;
    at += room;
    left -= room;
  }
  if (!left && !ends) return n;
  if (MODEL(to_writing)(s) == EOF || MODEL(flush)(s) == EOF) return left ? n - left : (unsigned long)EOF;
  unsigned long whole = left - (s->room >= 128 ? left % s->room : 0);
  if (whole) {
    unsigned long k = MODEL(write_out)(s, at, whole);
    left -= k;
    if (k < whole) return n - left;
    at += k;
  }
  if (s->flags & (STREAM_LINES | STREAM_UNBUFFERED)) {
    for (; left; left--, at++)
      if (MODEL(put)(s, *at) == EOF) break;
    return n - left;
  }
  memcpy(s->buffer + s->write, at, left);
  s->write += left;
  return n;
}

/* What was given back by ungetc is all that glibc looks at then. */
int MODEL(synchronise)(struct MODEL(stream) *s) {
  if (s->write > s->write_base && MODEL(flush)(s) == EOF) return EOF;
  long ahead = s->flags & STREAM_BACK ? (long)s->n_back : s->flags & STREAM_PUTTING ? 0 : (long)s->read_end - (long)s->read;
  if (ahead) {
    if (MODEL(device_seek)(s, -ahead, SEEK_CUR) >= 0) {
      if (s->flags & STREAM_BACK) s->n_back = 0;
      else s->read_end = s->filled = s->read;
    } else if (errno != ESPIPE) {
      return EOF;
    }
  }
  s->offset = s->start = -1;
  return 0;
}
