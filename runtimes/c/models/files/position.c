/* Where a stream is: fseek, ftell and their like (seekoff and do_ftell of glibc's fileops.c). */
#define _GNU_SOURCE
#include "stream.h"

#include <errno.h>
#include <unistd.h>

static long MODEL(refuse)(int error) {
  errno = error;
  return -1;
}

/* The system is asked, and nothing is read ahead. */
static long MODEL(seek_plainly)(struct MODEL(stream) *s, long offset, int whence) {
  long now = MODEL(device_seek)(s, offset, whence);
  if (now < 0) return -1;
  s->flags &= ~STREAM_ENDED;
  s->offset = now;
  MODEL(empty)(s);
  return now;
}

/* Whether the file ends before: then nothing can be read there, and which place it is need not be decided. A buffer of the program's own would show that
 * nothing was read. */
static int MODEL(is_behind)(struct MODEL(stream) *s, long offset) {
  struct MODEL(opened) *o = s->memory || s->flags & STREAM_GIVEN ? NULL : MODEL(opened_at)(s->descriptor);
  if (!o || !offset || o->file->kind != KIND_FILE) return 0;
  if (o->file->is_input) return (unsigned long)offset + o->file->missing > o->file->size;
  return (unsigned long)offset > MODEL(file_size)(o->file, s->descriptor);
}

/* From the start of the file. */
static long MODEL(seek_to)(struct MODEL(stream) *s, long offset, int exact) {
  if (s->offset >= 0) {
    long start = s->start >= 0 ? s->start : s->offset - (long)s->read_end;
    if (offset >= start && offset < s->offset) {
      offset = (long)__xcute_choose((unsigned long)offset);
      s->read = (unsigned long)(offset - start);
      s->write_base = s->write = s->write_end = 0;
      s->flags &= ~STREAM_ENDED;
      s->tested = 0;
      MODEL(device_seek)(s, s->offset, SEEK_SET);
      return offset;
    }
  }
  if (!(s->flags & STREAM_READS) || MODEL(is_behind)(s, offset)) return MODEL(seek_plainly)(s, offset, SEEK_SET);
  offset = (long)__xcute_choose((unsigned long)offset);
  long block = offset & ~((long)s->room - 1), delta = offset - block;
  if (delta > (long)s->room) block = offset, delta = 0;
  long now = MODEL(device_seek)(s, block, SEEK_SET);
  if (now < 0) return -1;
  unsigned long read = s->read, read_end = s->read_end;
  long before = s->offset;
  MODEL(empty)(s);
  s->offset = now;
  if (delta) {
    long count = MODEL(device_fill)(s, exact ? (unsigned long)delta : s->room);
    if (count < delta || s->read_end < (unsigned long)delta) {
      long left = count < 0 ? delta : delta - (long)s->read_end;
      s->read = read;
      s->read_end = s->filled = read_end;
      s->offset = before;
      return MODEL(seek_plainly)(s, left, SEEK_CUR);
    }
  }
  s->read = (unsigned long)delta;
  s->flags &= ~STREAM_ENDED;
  return offset;
}

long MODEL(seek_stream)(struct MODEL(stream) *s, long offset, int whence) {
  whence = MODEL(chosen)(whence);
  if (whence < SEEK_SET || whence > SEEK_END) return MODEL(refuse)(EINVAL);
  if (whence == SEEK_CUR && (s->flags & STREAM_USED || s->buffer)) offset -= (long)s->n_back;
  s->n_back = 0;
  s->flags &= ~STREAM_BACK;
  if (s->memory) s->offset = -1;
  int exact = (s->flags & STREAM_PUTTING || s->read_end == 0) && s->write_base == s->write;
  if (s->flags & STREAM_PUTTING && MODEL(to_reading)(s) == EOF) return -1;
  MODEL(need_buffer)(s);
  if (whence == SEEK_CUR) {
    if (s->start >= 0) {
      offset += s->start + (long)s->read;
    } else {
      offset -= (long)(s->read_end - s->read);
      if (s->offset < 0) return MODEL(seek_plainly)(s, offset, SEEK_CUR);
      offset += s->offset;
    }
    if (offset < 0) return MODEL(refuse)(EINVAL);
  } else if (whence == SEEK_END) {
    struct stat about;
    struct MODEL(opened) *o = s->memory ? NULL : MODEL(opened_at)(s->descriptor);
    if (o && o->file->kind == KIND_FILE) offset += (long)MODEL(file_size)(o->file, s->descriptor);
    else if (!s->memory && !o && fstat(s->descriptor, &about) == 0 && S_ISREG(about.st_mode)) offset += about.st_size;
    else return MODEL(seek_plainly)(s, offset, SEEK_END);
  }
  if (offset < 0) return MODEL(refuse)(EINVAL);
  return MODEL(seek_to)(s, offset, exact);
}

long MODEL(tell_stream)(struct MODEL(stream) *s) {
  if (s->memory) s->offset = -1;
  int unflushed = s->write > s->write_base;
  /* Of a file whose length is symbolic it is known where the buffer begins, not where it ends. */
  if (s->start >= 0 && !unflushed && !(s->flags & STREAM_PUTTING) && s->start + (long)s->read >= (long)s->n_back)
    return s->start + (long)s->read - (long)s->n_back;
  if (unflushed && s->flags & STREAM_APPENDS) {
    s->offset = MODEL(device_seek)(s, 0, SEEK_END);
    if (s->offset < 0) return -1;
  }
  long now = s->offset >= 0 ? s->offset : MODEL(device_seek)(s, 0, SEEK_CUR);
  if (now < 0 || !s->buffer) return now;
  if (unflushed) return now + (long)(s->write - (s->flags & STREAM_APPENDS ? s->write_base : s->read_end));
  long unread = (long)(s->read_end - s->read);
  if (now - (s->n_back ? (long)s->n_back : unread) < 0) return MODEL(refuse)(EINVAL);
  now -= (long)s->n_back + unread;
  return now < 0 ? MODEL(refuse)(EIO) : now;
}

static int MODEL(go)(FILE *stream, long offset, int whence) {
  struct MODEL(stream) *s = MODEL(stream_of)(stream);
  if (!s) return fseek(stream, offset, whence);
  return MODEL(seek_stream)(s, offset, whence) < 0 ? -1 : 0;
}
int MODEL(fseek)(FILE *stream, long offset, int whence) { return MODEL(go)(stream, offset, whence); }
int MODEL(fseeko)(FILE *stream, off_t offset, int whence) { return MODEL(go)(stream, offset, whence); }
int MODEL(fseeko64)(FILE *stream, off_t offset, int whence) { return MODEL(go)(stream, offset, whence); }

void MODEL(rewind)(FILE *stream) {
  struct MODEL(stream) *s = MODEL(stream_of)(stream);
  if (!s) {
    rewind(stream);
    return;
  }
  MODEL(seek_stream)(s, 0, SEEK_SET);
  s->flags &= ~(STREAM_ENDED | STREAM_FAILED);
}

static long MODEL(tell)(FILE *stream) {
  struct MODEL(stream) *s = MODEL(stream_of)(stream);
  return s ? MODEL(tell_stream)(s) : ftell(stream);
}
long MODEL(ftell)(FILE *stream) { return MODEL(tell)(stream); }
off_t MODEL(ftello)(FILE *stream) { return MODEL(tell)(stream); }
off_t MODEL(ftello64)(FILE *stream) { return MODEL(tell)(stream); }

static int MODEL(save_place)(FILE *stream, fpos_t *to) {
  struct MODEL(stream) *s = MODEL(stream_of)(stream);
  if (!s) return fgetpos(stream, to);
  long now = MODEL(tell_stream)(s);
  if (now < 0) return -1;
  to->__pos = now;
  return 0;
}
int MODEL(fgetpos)(FILE *stream, fpos_t *to) { return MODEL(save_place)(stream, to); }
int MODEL(fgetpos64)(FILE *stream, fpos_t *to) { return MODEL(save_place)(stream, to); }

static int MODEL(restore_place)(FILE *stream, const fpos_t *to) {
  struct MODEL(stream) *s = MODEL(stream_of)(stream);
  return s ? MODEL(seek_stream)(s, to->__pos, SEEK_SET) < 0 ? -1 : 0 : fsetpos(stream, to);
}
int MODEL(fsetpos)(FILE *stream, const fpos_t *to) { return MODEL(restore_place)(stream, to); }
int MODEL(fsetpos64)(FILE *stream, const fpos_t *to) { return MODEL(restore_place)(stream, to); }
