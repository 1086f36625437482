/* Models of what is about a stream as a whole: setvbuf, fflush, feof, fileno, locks. */
#define _GNU_SOURCE
#include "stream.h"

#include <errno.h>
#include <stdio_ext.h>
#include <stdlib.h>

/* The program's own buffer: what the library would leave in it is there, with its handles. A standard stream becomes ours for that. */
static void MODEL(use_buffer)(struct MODEL(stream) *s, unsigned char *buffer, unsigned long n) {
  MODEL(synchronise)(s);
  MODEL(leave_buffer)(s);
  s->flags &= ~(STREAM_UNBUFFERED | STREAM_GIVEN | STREAM_PUTTING);
  s->flags |= buffer ? STREAM_GIVEN : STREAM_UNBUFFERED;
  s->buffer = buffer ? buffer : &s->one;
  s->room = buffer ? n : 1;
  MODEL(empty)(s);
}

int MODEL(setvbuf)(FILE *stream, char *buffer, int how, size_t n) {
  struct MODEL(stream) *s = MODEL(stream_of)(stream);
  how = MODEL(chosen)(how);
  if (!s && buffer && n && how != _IONBF && __xcute_standard(stream)) {
    fflush(stream);
    s = MODEL(new_stream)(stream, stream == stderr ? 2 : 1, STREAM_WRITES);
  }
  if (!s) return setvbuf(stream, buffer, how, n);
  if (how != _IOFBF && how != _IOLBF && how != _IONBF) return EOF;
  n = __xcute_choose(n);
  if (how == _IONBF) {
    MODEL(use_buffer)(s, NULL, 0);
    s->flags &= ~STREAM_LINES;
    return 0;
  }
  s->flags = (s->flags & ~(STREAM_LINES | STREAM_UNBUFFERED)) | (how == _IOLBF ? STREAM_LINES : 0);
  if (buffer && n) MODEL(use_buffer)(s, (unsigned char *)buffer, n);
  else if (how == _IOFBF) MODEL(need_buffer)(s);
  return 0;
}

void MODEL(setbuf)(FILE *stream, char *buffer) { MODEL(setvbuf)(stream, buffer, buffer ? _IOFBF : _IONBF, BUFSIZ); }
void MODEL(setbuffer)(FILE *stream, char *buffer, size_t n) { MODEL(setvbuf)(stream, buffer, buffer ? _IOFBF : _IONBF, n); }
void MODEL(setlinebuf)(FILE *stream) { MODEL(setvbuf)(stream, NULL, _IOLBF, 0); }

static int MODEL(flush_stream)(FILE *stream) {
  if (stream) {
    struct MODEL(stream) *s = MODEL(stream_of)(stream);
    if (!s) return fflush(stream);
    int failed = MODEL(synchronise)(s);
    if (s->memory) MODEL(memory_publish)(s->memory);
    return failed;
  }
  int failed = fflush(NULL);
  for (struct MODEL(stream) *s = MODEL(all_streams)(); s; s = s->next) {
    if (s->write > s->write_base && MODEL(flush)(s) == EOF) failed = EOF;
    if (s->memory) MODEL(memory_publish)(s->memory);
  }
  return failed;
}
int MODEL(fflush)(FILE *stream) { return MODEL(flush_stream)(stream); }
int MODEL(fflush_unlocked)(FILE *stream) { return MODEL(flush_stream)(stream); }

static int MODEL(ended)(FILE *stream) {
  struct MODEL(stream) *s = MODEL(stream_of)(stream);
  if (!s) return feof(stream);
  return (s->flags & STREAM_ENDED) != 0 || (s->tested && !s->n_back && s->read < s->filled && s->read >= s->read_end);
}
int MODEL(feof)(FILE *stream) { return MODEL(ended)(stream); }
int MODEL(feof_unlocked)(FILE *stream) { return MODEL(ended)(stream); }

static int MODEL(failed)(FILE *stream) {
  struct MODEL(stream) *s = MODEL(stream_of)(stream);
  return s ? (s->flags & STREAM_FAILED) != 0 : ferror(stream);
}
int MODEL(ferror)(FILE *stream) { return MODEL(failed)(stream); }
int MODEL(ferror_unlocked)(FILE *stream) { return MODEL(failed)(stream); }

static void MODEL(clear)(FILE *stream) {
  struct MODEL(stream) *s = MODEL(stream_of)(stream);
  if (s) s->flags &= ~(STREAM_ENDED | STREAM_FAILED), s->tested = 0;
  else clearerr(stream);
}
void MODEL(clearerr)(FILE *stream) { MODEL(clear)(stream); }
void MODEL(clearerr_unlocked)(FILE *stream) { MODEL(clear)(stream); }

static int MODEL(number)(FILE *stream) {
  struct MODEL(stream) *s = MODEL(stream_of)(stream);
  if (!s) return fileno(stream);
  if (s->memory) errno = EBADF;
  return s->descriptor;
}
int MODEL(fileno)(FILE *stream) { return MODEL(number)(stream); }
int MODEL(fileno_unlocked)(FILE *stream) { return MODEL(number)(stream); }

size_t MODEL(__fpending)(FILE *stream) {
  struct MODEL(stream) *s = MODEL(stream_of)(stream);
  return s ? s->write - s->write_base + (s->memory ? MODEL(memory_pending)(s->memory) : 0) : __fpending(stream);
}

static void MODEL(purge)(FILE *stream) {
  struct MODEL(stream) *s = MODEL(stream_of)(stream);
  if (!s) {
    __fpurge(stream);
    return;
  }
  s->n_back = 0;
  s->flags &= ~STREAM_BACK;
  s->read = s->filled = s->read_end;
  s->write = s->write_base;
}
void MODEL(__fpurge)(FILE *stream) { MODEL(purge)(stream); }

int MODEL(__fwriting)(FILE *stream) {
  struct MODEL(stream) *s = MODEL(stream_of)(stream);
  return s ? !(s->flags & STREAM_READS) || s->flags & STREAM_PUTTING : __fwriting(stream);
}
int MODEL(__freading)(FILE *stream) {
  struct MODEL(stream) *s = MODEL(stream_of)(stream);
  return s ? !(s->flags & STREAM_WRITES) || (!(s->flags & STREAM_PUTTING) && s->filled) : __freading(stream);
}
int MODEL(__fwritable)(FILE *stream) {
  struct MODEL(stream) *s = MODEL(stream_of)(stream);
  return s ? (s->flags & STREAM_WRITES) != 0 : __fwritable(stream);
}
int MODEL(__freadable)(FILE *stream) {
  struct MODEL(stream) *s = MODEL(stream_of)(stream);
  return s ? (s->flags & STREAM_READS) != 0 : __freadable(stream);
}

/* There is one thread. */
void MODEL(flockfile)(FILE *stream) { (void)stream; }
void MODEL(funlockfile)(FILE *stream) { (void)stream; }
int MODEL(ftrylockfile)(FILE *stream) { (void)stream; return 0; }
