/* Models of fopen, fdopen, freopen, tmpfile and fclose, and which FILE is a stream of ours. */
#define _GNU_SOURCE
#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <unistd.h>

static struct MODEL(stream) *MODEL(streams), *MODEL(last);

struct MODEL(stream) *MODEL(all_streams)(void) { return MODEL(streams); }

struct MODEL(stream) *MODEL(new_stream)(FILE *handle, int descriptor, int flags) {
  struct MODEL(stream) *s = handle ? calloc(1, sizeof *s) : NULL;
  if (!s) return NULL;
  s->handle = handle;
  s->descriptor = descriptor;
  s->flags = flags;
  s->offset = s->start = -1;
  s->next = MODEL(streams);
  MODEL(last) = MODEL(streams) = s;
  __xcute_stream(handle, 1);
  return s;
}

static void MODEL(drop)(struct MODEL(stream) *s) {
  struct MODEL(stream) **at = &MODEL(streams);
  while (*at != s) at = &(*at)->next;
  *at = s->next;
  MODEL(last) = NULL;
  __xcute_stream(s->handle, 0);
  MODEL(leave_buffer)(s);
  free(s->back);
  free(s);
}

/* A standard stream whose descriptor is a file of ours by now. What was printed before waits in the library's buffer. */
static struct MODEL(stream) *MODEL(take_over)(FILE *stream, int descriptor) {
  enum { LIBRARY_UNBUFFERED = 2, LIBRARY_LINES = 0x200 };
  int flags = (stream->_flags & LIBRARY_UNBUFFERED ? STREAM_UNBUFFERED : 0) | (stream->_flags & LIBRARY_LINES ? STREAM_LINES : 0);
  unsigned long waiting = descriptor ? __fpending(stream) : 0;
  const char *text = stream->_IO_write_base;
  if (waiting) {
    __xcute_lost(LOST_BUFFERED);
    __fpurge(stream);
  }
  struct MODEL(stream) *s = MODEL(new_stream)(stream, descriptor, flags | (descriptor ? STREAM_WRITES : STREAM_READS));
  if (s && waiting) MODEL(put_block)(s, text, waiting);
  return s;
}

struct MODEL(stream) *MODEL(stream_of)(FILE *stream) {
  if (MODEL(last) && MODEL(last)->handle == stream) return MODEL(last);
  for (struct MODEL(stream) *s = MODEL(streams); s; s = s->next)
    if (s->handle == stream) return MODEL(last) = s;
  int descriptor = stream == stdin ? 0 : stream == stdout ? 1 : stream == stderr ? 2 : -1;
  if (descriptor < 0 || !MODEL(opened_at)(descriptor)) return NULL;
  return MODEL(take_over)(stream, descriptor);
}

/* What a mode asks for; -1: it is none. */
static int MODEL(mode_flags)(const char *mode, int *flags) {
  switch (*mode) {
    case 'r': *flags = O_RDONLY; break;
    case 'w': *flags = O_WRONLY | O_CREAT | O_TRUNC; break;
    case 'a': *flags = O_WRONLY | O_CREAT | O_APPEND; break;
    default: errno = EINVAL; return -1;
  }
  for (int i = 1; i < 7 && mode[i] && mode[i] != ','; i++) {
    if (mode[i] == '+') *flags = (*flags & ~O_ACCMODE) | O_RDWR;
    else if (mode[i] == 'x') *flags |= O_EXCL;
    else if (mode[i] == 'e') *flags |= O_CLOEXEC;
  }
  int access = *flags & O_ACCMODE;
  return (access != O_WRONLY ? STREAM_READS : 0) | (access != O_RDONLY ? STREAM_WRITES : 0) | (*flags & O_APPEND ? STREAM_APPENDS : 0);
}

/* Streams that only append begin at the end, if nobody said so of the descriptor before. */
static FILE *MODEL(begin)(FILE *handle, int descriptor, int how, int appended) {
  if (!MODEL(new_stream)(handle, descriptor, how)) return NULL;
  if (how & STREAM_APPENDS && !(how & STREAM_READS) && !appended) MODEL(seek)(descriptor, 0, SEEK_END);
  return handle;
}

/* A FILE of the library for a descriptor: the end of a pipe can only be written to. */
static FILE *MODEL(handle_of)(int descriptor) { return fdopen(descriptor, (fcntl(descriptor, F_GETFL) & O_ACCMODE) == O_WRONLY ? "w" : "r"); }

static FILE *MODEL(open_named)(const char *path, const char *mode) {
  int flags, how = MODEL(mode_flags)(mode, &flags);
  if (how < 0) return NULL;
  int descriptor = MODEL(open_at)(AT_FDCWD, path, flags, 0666);
  if (descriptor < 0) return NULL;
  return MODEL(opened_at)(descriptor) ? MODEL(begin)(MODEL(handle_of)(descriptor), descriptor, how, 0) : fdopen(descriptor, mode);
}
FILE *MODEL(fopen)(const char *path, const char *mode) { return MODEL(open_named)(path, mode); }
FILE *MODEL(fopen64)(const char *path, const char *mode) { return MODEL(open_named)(path, mode); }

FILE *MODEL(fdopen)(int descriptor, const char *mode) {
  descriptor = MODEL(chosen)(descriptor);
  struct MODEL(opened) *o = MODEL(opened_at)(descriptor);
  if (!o) return fdopen(descriptor, mode);
  int flags, how = MODEL(mode_flags)(mode, &flags), access = o->flags & O_ACCMODE;
  if (how < 0) return NULL;
  if ((access == O_RDONLY && how & STREAM_WRITES) || (access == O_WRONLY && how & STREAM_READS)) {
    errno = EINVAL;
    return NULL;
  }
  int appended = o->flags & O_APPEND;
  if (how & STREAM_APPENDS) o->flags |= O_APPEND;
  return MODEL(begin)(MODEL(handle_of)(descriptor), descriptor, how, appended);
}

static FILE *MODEL(make_temporary)(void) {
  int descriptor = open("/dev/null", O_RDWR);
  struct MODEL(opened) *opened = descriptor >= 0 ? MODEL(describe_file)(MODEL(new_file)(KIND_FILE, 0600), O_RDWR) : NULL;
  if (!opened) return NULL;
  MODEL(attach)(descriptor, opened);
  return MODEL(begin)(MODEL(handle_of)(descriptor), descriptor, STREAM_READS | STREAM_WRITES, 0);
}
FILE *MODEL(tmpfile)(void) { return MODEL(make_temporary)(); }
FILE *MODEL(tmpfile64)(void) { return MODEL(make_temporary)(); }

/* What is open there is over; the FILE goes on. */
static int MODEL(end)(struct MODEL(stream) *s) {
  int failed = MODEL(flush)(s);
  if (s->memory) MODEL(memory_close)(s->memory);
  else MODEL(detach)(s->descriptor);
  MODEL(drop)(s);
  return failed;
}

int MODEL(fclose)(FILE *stream) {
  struct MODEL(stream) *s = MODEL(stream_of)(stream);
  if (!s) return fclose(stream);
  int failed = MODEL(end)(s);
  return fclose(stream) || failed ? EOF : 0;
}

static FILE *MODEL(open_again)(const char *path, const char *mode, FILE *stream) {
  struct MODEL(stream) *s = MODEL(stream_of)(stream);
  int flags, how = MODEL(mode_flags)(mode, &flags);
  struct MODEL(opened) *before = s && !s->memory ? MODEL(opened_at)(s->descriptor) : NULL, *opened = NULL;
  struct MODEL(file) *same = before ? before->file : NULL;
  if (s) {
    MODEL(synchronise)(s);
    MODEL(end)(s);
  }
  errno = 0;
  if (how < 0) errno = EINVAL;
  else if (path) opened = MODEL(open_file)(AT_FDCWD, path, flags, 0666);
  else if (same) opened = MODEL(describe_file)(same, flags & ~(O_CREAT | O_TRUNC | O_EXCL | O_CLOEXEC));
  if (!opened && (path || !same)) {
    if (!errno) return freopen(path, mode, stream);
    int error = errno;
    freopen("", "r", stream);
    errno = error;
    return NULL;
  }
  if (!path && flags & O_TRUNC) MODEL(file_truncate)(same, -1, 0);
  stream = freopen(path && opened->file->on_disk ? path : "/dev/null", "r", stream);
  if (!stream) return NULL;
  MODEL(attach)(fileno(stream), opened);
  return MODEL(begin)(stream, fileno(stream), how, 0);
}
FILE *MODEL(freopen)(const char *path, const char *mode, FILE *stream) { return MODEL(open_again)(path, mode, stream); }
FILE *MODEL(freopen64)(const char *path, const char *mode, FILE *stream) { return MODEL(open_again)(path, mode, stream); }
