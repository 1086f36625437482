/* Models of unistd.h, fcntl.h, sys/stat.h and sys/mman.h for symbolic files. All other files are the system's. */
#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int MODEL(strcmp)(const char *a, const char *b);

enum { MOST_OPEN = 64 };
static struct MODEL(opened) MODEL(table)[MOST_OPEN];

struct MODEL(opened) *MODEL(remember)(struct xcute_file *file, FILE *stream, int descriptor) {
  for (int i = 0; i < MOST_OPEN; i++) {
    if (MODEL(table)[i].file) continue;
    MODEL(table)[i] = (struct MODEL(opened)){file, stream, descriptor, 0, 0, 0, 0};
    return &MODEL(table)[i];
  }
  return NULL;
}

/* Standard input is open from the start. */
static void MODEL(start)(void) {
  static int started;
  if (started) return;
  started = 1;
  for (unsigned i = 0; i < xcute_n_files; i++)
    if (!xcute_files[i].name) MODEL(remember)(&xcute_files[i], stdin, 0);
}

struct MODEL(opened) *MODEL(opened_stream)(FILE *stream) {
  MODEL(start)();
  for (int i = 0; i < MOST_OPEN; i++)
    if (MODEL(table)[i].file && MODEL(table)[i].stream == stream) return &MODEL(table)[i];
  return NULL;
}

struct MODEL(opened) *MODEL(opened_descriptor)(int descriptor) {
  MODEL(start)();
  for (int i = 0; i < MOST_OPEN; i++)
    if (MODEL(table)[i].file && MODEL(table)[i].descriptor == descriptor) return &MODEL(table)[i];
  return NULL;
}

struct xcute_file *MODEL(symbolic_file)(const char *name) {
  while (name[0] == '.' && name[1] == '/') name += 2;
  for (unsigned i = 0; i < xcute_n_files; i++)
    if (xcute_files[i].name && MODEL(strcmp)(name, xcute_files[i].name) == 0) return &xcute_files[i];
  return NULL;
}

unsigned long MODEL(file_size)(struct xcute_file *file) {
  unsigned missing = 0;
  while (missing < file->most && file->missing != missing) missing++;
  file->missing = missing;
  return file->most - missing;
}

int MODEL(at_end)(const struct MODEL(opened) *o) { return o->at >= o->file->most || o->at + o->file->missing >= o->file->most; }

unsigned long MODEL(take)(struct MODEL(opened) *o, void *to, unsigned long most) {
  struct xcute_file *file = o->file;
  if (most > file->most || o->at + most > file->most || o->at + most + file->missing > file->most) {
    unsigned long size = MODEL(file_size)(file), left = o->at < size ? size - o->at : 0;
    if (most > left) most = left;
  }
  memcpy(to, file->data + o->at, most);
  o->at += most;
  return most;
}

int MODEL(move)(struct MODEL(opened) *o, long offset, int whence) {
  long from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (long)o->at - o->has_back : (long)MODEL(file_size)(o->file);
  if (whence != SEEK_SET && whence != SEEK_CUR && whence != SEEK_END) return 0;
  if (from + offset < 0) return 0;
  o->at = (unsigned long)(from + offset);
  o->has_back = o->ended = 0;
  return 1;
}

/* Whoever writes to a symbolic file makes a real one of it. */
static int MODEL(open_symbolic)(const char *name, int flags) {
  struct xcute_file *file = MODEL(symbolic_file)(name);
  if (!file) return -1;
  if ((flags & O_ACCMODE) != O_RDONLY) {
    file->name = "";
    if (!(flags & O_TRUNC)) __xcute_lost_file();
    return -1;
  }
  int descriptor = open("/dev/null", flags & ~(O_CREAT | O_EXCL));
  if (descriptor >= 0 && !MODEL(remember)(file, NULL, descriptor)) __xcute_lost_file();
  return descriptor;
}

#define OPEN(name)                                              \
  int MODEL(name)(const char *path, int flags, ...) {           \
    int descriptor = MODEL(open_symbolic)(path, flags);         \
    if (descriptor >= 0) return descriptor;                     \
    va_list list;                                               \
    va_start(list, flags);                                      \
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, int) : 0; \
    va_end(list);                                               \
    return open(path, flags, mode);                             \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                     \
  int MODEL(name)(int directory, const char *path, int flags, ...) {                     \
    int descriptor = directory == AT_FDCWD ? MODEL(open_symbolic)(path, flags) : -1;     \
    if (descriptor >= 0) return descriptor;                                              \
    va_list list;                                                                        \
    va_start(list, flags);                                                               \
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, int) : 0;                    \
    va_end(list);                                                                        \
    return openat(directory, path, flags, mode);                                         \
  }
OPENAT(openat)
OPENAT(openat64)

int MODEL(close)(int descriptor) {
  struct MODEL(opened) *o = MODEL(opened_descriptor)(descriptor);
  if (o) o->file = NULL;
  return close(descriptor);
}

ssize_t MODEL(read)(int descriptor, void *to, size_t n) {
  struct MODEL(opened) *o = MODEL(opened_descriptor)(descriptor);
  return o ? (ssize_t)MODEL(take)(o, to, n) : read(descriptor, to, n);
}

static ssize_t MODEL(read_at)(int descriptor, void *to, size_t n, off_t at) {
  struct MODEL(opened) *o = MODEL(opened_descriptor)(descriptor);
  if (!o) return pread(descriptor, to, n, at);
  unsigned long before = o->at;
  o->at = (unsigned long)at;
  n = MODEL(take)(o, to, n);
  o->at = before;
  return (ssize_t)n;
}
ssize_t MODEL(pread)(int descriptor, void *to, size_t n, off_t at) { return MODEL(read_at)(descriptor, to, n, at); }
ssize_t MODEL(pread64)(int descriptor, void *to, size_t n, off_t at) { return MODEL(read_at)(descriptor, to, n, at); }

static off_t MODEL(seek)(int descriptor, off_t offset, int whence) {
  struct MODEL(opened) *o = MODEL(opened_descriptor)(descriptor);
  if (!o) return lseek(descriptor, offset, whence);
  if (MODEL(move)(o, offset, whence)) return (off_t)o->at;
  errno = EINVAL;
  return -1;
}
off_t MODEL(lseek)(int descriptor, off_t offset, int whence) { return MODEL(seek)(descriptor, offset, whence); }
off_t MODEL(lseek64)(int descriptor, off_t offset, int whence) { return MODEL(seek)(descriptor, offset, whence); }

static int MODEL(describe)(struct xcute_file *file, struct stat *to) {
  memset(to, 0, sizeof *to);
  to->st_mode = S_IFREG | 0644;
  to->st_nlink = 1;
  to->st_size = (off_t)MODEL(file_size)(file);
  to->st_blksize = 4096;
  to->st_blocks = (to->st_size + 511) / 512;
  return 0;
}

#define STAT(name)                                                       \
  int MODEL(name)(const char *path, struct stat *to) {                   \
    struct xcute_file *file = MODEL(symbolic_file)(path);                \
    return file ? MODEL(describe)(file, to) : stat(path, to);            \
  }
STAT(stat)
STAT(stat64)
STAT(lstat)
STAT(lstat64)

#define FSTAT(name)                                                       \
  int MODEL(name)(int descriptor, struct stat *to) {                      \
    struct MODEL(opened) *o = MODEL(opened_descriptor)(descriptor);       \
    return o ? MODEL(describe)(o->file, to) : fstat(descriptor, to);      \
  }
FSTAT(fstat)
FSTAT(fstat64)

int MODEL(access)(const char *path, int mode) {
  struct xcute_file *file = MODEL(symbolic_file)(path);
  if (!file) return access(path, mode);
  if (!(mode & X_OK)) return 0;
  errno = EACCES;
  return -1;
}

/* A mapping is a copy: nobody else writes to the file. */
static void *MODEL(map)(void *at, size_t n, int access, int flags, int descriptor, off_t offset) {
  struct MODEL(opened) *o = flags & MAP_ANONYMOUS ? NULL : MODEL(opened_descriptor)(descriptor);
  void *mapped = mmap(at, n, o ? PROT_READ | PROT_WRITE : access, o ? MAP_PRIVATE | MAP_ANONYMOUS : flags, o ? -1 : descriptor, offset);
  if (o && mapped != MAP_FAILED) MODEL(read_at)(descriptor, mapped, n, offset);
  return mapped;
}
void *MODEL(mmap)(void *at, size_t n, int access, int flags, int d, off_t offset) { return MODEL(map)(at, n, access, flags, d, offset); }
void *MODEL(mmap64)(void *at, size_t n, int access, int flags, int d, off_t offset) { return MODEL(map)(at, n, access, flags, d, offset); }

/* Ways to read that are not modelled. */
static void MODEL(note)(int descriptor) {
  if (MODEL(opened_descriptor)(descriptor)) __xcute_lost_file();
}

int MODEL(dup)(int descriptor) {
  MODEL(note)(descriptor);
  return dup(descriptor);
}

int MODEL(dup2)(int from, int to) {
  MODEL(note)(from);
  MODEL(note)(to);
  return dup2(from, to);
}
