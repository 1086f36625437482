/* What is read from a descriptor and written to it, and where it is: lseek, ftruncate. */
#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_AT_ONCE = 0x7ffff000 };

static int MODEL(allowed)(const struct MODEL(opened) *o, int refused) {
  if ((o->flags & O_ACCMODE) != refused) return 1;
  errno = EBADF;
  return 0;
}

long MODEL(take)(int descriptor, void *to, unsigned long n) {
  struct MODEL(opened) *o = MODEL(opened_at)(descriptor);
  if (n > MOST_AT_ONCE) n = MOST_AT_ONCE;
  if (!o) return MODEL(read_system)(descriptor, to, __xcute_choose(n), -1);
  if (!MODEL(allowed)(o, O_WRONLY)) return -1;
  if (o->file->kind == KIND_PIPE) return MODEL(pipe_read)(o, descriptor, to, n);
  long k = MODEL(file_read)(o->file, descriptor, o->at, to, n);
  if (k > 0) o->at += (unsigned long)k;
  return k;
}

/* Where nobody can read it again, it just goes out. */
long MODEL(give)(int descriptor, const void *from, unsigned long n) {
  struct MODEL(opened) *o = MODEL(opened_at)(descriptor);
  if (!o) return descriptor == 1 || descriptor == 2 ? __xcute_send(descriptor, from, n) : write(descriptor, from, n);
  if (!MODEL(allowed)(o, O_RDONLY)) return -1;
  if (n > MOST_AT_ONCE) n = MOST_AT_ONCE;
  if (o->file->kind == KIND_PIPE) return MODEL(pipe_write)(o, descriptor, from, n);
  if (!n) return 0;
  if (o->flags & O_APPEND) o->at = MODEL(file_size)(o->file, descriptor);
  long k = MODEL(file_write)(o->file, descriptor, o->at, from, n);
  if (k > 0) o->at += (unsigned long)k;
  return k;
}

long MODEL(seek)(int descriptor, long offset, int whence) {
  descriptor = MODEL(chosen)(descriptor);
  whence = MODEL(chosen)(whence);
  struct MODEL(opened) *o = MODEL(opened_at)(descriptor);
  if (!o || whence < SEEK_SET || whence > SEEK_END) {
    if (o && whence > SEEK_END) __xcute_lost(LOST_FILE); /* SEEK_DATA, SEEK_HOLE */
    return lseek(descriptor, offset, whence);
  }
  if (o->file->kind == KIND_PIPE) {
    errno = ESPIPE;
    return -1;
  }
  if (o->file->kind == KIND_NULL) return 0;
  long from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (long)o->at : (long)MODEL(file_size)(o->file, descriptor), to;
  if (__builtin_add_overflow(from, offset, &to) || to < 0) {
    errno = EINVAL;
    return -1;
  }
  o->at = (unsigned long)to;
  return to;
}

long MODEL(take_at)(int descriptor, void *to, unsigned long n, long at) {
  struct MODEL(opened) *o = MODEL(opened_at)(descriptor);
  long arguments[6] = {descriptor, (long)to, (long)__xcute_choose(n), (long)__xcute_choose((unsigned long)at), 0, 0};
  if (!o || at < 0 || o->file->kind == KIND_PIPE) return __xcute_receive(SYS_pread64, arguments, 1);
  return MODEL(allowed)(o, O_WRONLY) ? MODEL(file_read)(o->file, descriptor, (unsigned long)at, to, n) : -1;
}

long MODEL(give_at)(int descriptor, const void *from, unsigned long n, long at) {
  struct MODEL(opened) *o = MODEL(opened_at)(descriptor);
  if (!o || at < 0 || o->file->kind == KIND_PIPE) return pwrite(descriptor, from, n, at);
  if (!MODEL(allowed)(o, O_RDONLY)) return -1;
  unsigned long where = o->flags & O_APPEND ? MODEL(file_size)(o->file, descriptor) : (unsigned long)at;
  return MODEL(file_write)(o->file, descriptor, where, from, n);
}

off_t MODEL(lseek)(int descriptor, off_t offset, int whence) { return MODEL(seek)(descriptor, offset, whence); }
off_t MODEL(lseek64)(int descriptor, off_t offset, int whence) { return MODEL(seek)(descriptor, offset, whence); }

static int MODEL(cut_off)(int descriptor, off_t n) {
  descriptor = MODEL(chosen)(descriptor);
  struct MODEL(opened) *o = MODEL(opened_at)(descriptor);
  if (!o) return ftruncate(descriptor, n);
  if (n < 0 || (o->flags & O_ACCMODE) == O_RDONLY || o->file->kind != KIND_FILE) {
    errno = EINVAL;
    return -1;
  }
  return MODEL(file_truncate)(o->file, descriptor, (unsigned long)n);
}
int MODEL(ftruncate)(int descriptor, off_t n) { return MODEL(cut_off)(descriptor, n); }
int MODEL(ftruncate64)(int descriptor, off_t n) { return MODEL(cut_off)(descriptor, n); }

int MODEL(posix_fallocate)(int descriptor, off_t at, off_t n) {
  descriptor = MODEL(chosen)(descriptor);
  struct MODEL(opened) *o = MODEL(opened_at)(descriptor);
  if (!o) return posix_fallocate(descriptor, at, n);
  if (at < 0 || n <= 0) return EINVAL;
  if ((o->flags & O_ACCMODE) == O_RDONLY) return EBADF;
  if (o->file->kind != KIND_FILE) return ESPIPE;
  if (MODEL(file_size)(o->file, descriptor) >= (unsigned long)(at + n)) return 0;
  return MODEL(file_truncate)(o->file, descriptor, (unsigned long)(at + n)) ? EFBIG : 0;
}
