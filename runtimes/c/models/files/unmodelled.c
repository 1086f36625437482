/* Functions that see other files than the program does: the disk's, or empty ones. Each is a limit where that can matter. */
#define _GNU_SOURCE
#include "files.h"

#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static void MODEL(note)(int descriptor) {
  if (MODEL(opened_at)(MODEL(chosen)(descriptor))) __xcute_lost(LOST_FILE);
}

static void MODEL(note_directory)(void) {
  if (MODEL(any_names)()) __xcute_lost(LOST_DIRECTORY);
}

/* Whether something comes, or can go, is known of pipes here only; files are always ready. */
static void MODEL(note_pipe)(int descriptor) {
  struct MODEL(opened) *o = MODEL(opened_at)(MODEL(chosen)(descriptor));
  if (o && o->file->kind == KIND_PIPE) __xcute_lost(LOST_FILE);
}

DIR *MODEL(opendir)(const char *path) {
  MODEL(note_directory)();
  return opendir(path);
}

DIR *MODEL(fdopendir)(int descriptor) {
  MODEL(note_directory)();
  return fdopendir(descriptor);
}

int MODEL(glob)(const char *pattern, int flags, int (*error)(const char *, int), glob_t *to) {
  MODEL(note_directory)();
  return glob(pattern, flags, error, to);
}

int MODEL(rmdir)(const char *path) {
  MODEL(note_directory)();
  return rmdir(path);
}

int MODEL(poll)(struct pollfd *of, nfds_t count, int time) {
  for (nfds_t i = 0; i < count; i++) MODEL(note_pipe)(of[i].fd);
  return poll(of, count, time);
}

int MODEL(select)(int count, fd_set *in, fd_set *out, fd_set *odd, struct timeval *time) {
  for (int i = 0; i < count && i < FD_SETSIZE; i++)
    if ((in && FD_ISSET(i, in)) || (out && FD_ISSET(i, out))) MODEL(note_pipe)(i);
  return select(count, in, out, odd, time);
}

int MODEL(ioctl)(int descriptor, unsigned long what, ...) {
  va_list list;
  va_start(list, what);
  void *argument = va_arg(list, void *);
  va_end(list);
  descriptor = MODEL(chosen)(descriptor);
  struct MODEL(opened) *o = MODEL(opened_at)(descriptor);
  if (o && o->file->kind == KIND_PIPE && what == FIONREAD) {
    *(int *)argument = (int)(o->file->size - o->file->start);
    return 0;
  }
  if (what == FIONREAD) MODEL(note)(descriptor);
  return ioctl(descriptor, what, argument);
}

ssize_t MODEL(splice)(int from, off_t *from_at, int to, off_t *to_at, size_t n, unsigned flags) {
  MODEL(note)(from);
  MODEL(note)(to);
  return splice(from, from_at, to, to_at, n, flags);
}

ssize_t MODEL(tee)(int from, int to, size_t n, unsigned flags) {
  MODEL(note)(from);
  MODEL(note)(to);
  return tee(from, to, n, flags);
}

ssize_t MODEL(preadv)(int descriptor, const struct iovec *blocks, int count, off_t at) {
  MODEL(note)(descriptor);
  return preadv(descriptor, blocks, count, at);
}

ssize_t MODEL(pwritev)(int descriptor, const struct iovec *blocks, int count, off_t at) {
  MODEL(note)(descriptor);
  return pwritev(descriptor, blocks, count, at);
}

int MODEL(statx)(int directory, const char *path, int flags, unsigned mask, struct statx *to) {
  if (!path || !*path) MODEL(note)(directory);
  else if (MODEL(find)(directory, path, 1)->name || (directory == AT_FDCWD && MODEL(input_file)(path))) __xcute_lost(LOST_FILE);
  return statx(directory, path, flags, mask, to);
}
