/* Models of stat, access and their like. */
#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

void MODEL(fill_stat)(struct MODEL(file) *file, int descriptor, struct stat *to) {
  unsigned long size = file->kind == KIND_FILE ? MODEL(file_size)(file, descriptor) : 0;
  *to = file->about;
  if (file->kind == KIND_NULL) return;
  to->st_size = (off_t)size;
  to->st_blocks = (to->st_size + 511) / 512;
}

/* The file that a path leads to, if it is not just as on the disk; `error`: 0, or why there is none. */
static struct MODEL(file) *MODEL(in_memory)(int directory, const char *path, int follow, int *error) {
  *error = 0;
  if (directory == AT_FDCWD) {
    struct MODEL(file) *input = MODEL(input_file)(path);
    if (input) return input;
  }
  struct MODEL(place) *place = MODEL(find)(directory, path, follow);
  if (place->name && place->error) *error = place->error;
  return place->file && !place->file->on_disk ? place->file : NULL;
}

static int MODEL(stat_at)(int directory, const char *path, struct stat *to, int flags) {
  int error;
  if (flags & AT_EMPTY_PATH && !*path) return MODEL(fstat)(directory, to);
  struct MODEL(file) *file = MODEL(in_memory)(directory, path, !(flags & AT_SYMLINK_NOFOLLOW), &error);
  if (file) {
    MODEL(fill_stat)(file, -1, to);
    return 0;
  }
  if (!error) return fstatat(directory, path, to, flags);
  errno = error;
  return -1;
}

#define STAT(name, flags) \
  int MODEL(name)(const char *path, struct stat *to) { return MODEL(stat_at)(AT_FDCWD, path, to, flags); }
STAT(stat, 0)
STAT(stat64, 0)
STAT(lstat, AT_SYMLINK_NOFOLLOW)
STAT(lstat64, AT_SYMLINK_NOFOLLOW)

#define STATAT(name) \
  int MODEL(name)(int directory, const char *path, struct stat *to, int flags) { return MODEL(stat_at)(directory, path, to, flags); }
STATAT(fstatat)
STATAT(fstatat64)

static int MODEL(stat_open)(int descriptor, struct stat *to) {
  descriptor = MODEL(chosen)(descriptor);
  struct MODEL(opened) *o = MODEL(opened_at)(descriptor);
  if (!o) return fstat(descriptor, to);
  MODEL(fill_stat)(o->file, descriptor, to);
  return 0;
}
int MODEL(fstat)(int descriptor, struct stat *to) { return MODEL(stat_open)(descriptor, to); }
int MODEL(fstat64)(int descriptor, struct stat *to) { return MODEL(stat_open)(descriptor, to); }

static int MODEL(accessible)(int directory, const char *path, int mode, int flags) {
  int error;
  struct MODEL(file) *file = MODEL(in_memory)(directory, path, !(flags & AT_SYMLINK_NOFOLLOW), &error);
  if (file) {
    unsigned wanted = (mode & R_OK ? S_IRUSR : 0) | (mode & W_OK ? S_IWUSR : 0) | (mode & X_OK ? S_IXUSR : 0);
    unsigned has = file->about.st_mode | (geteuid() == 0 ? S_IRUSR | S_IWUSR : 0);
    error = (has & wanted) == wanted ? 0 : EACCES;
    if (!error) return 0;
  }
  if (!error) return faccessat(directory, path, mode, flags);
  errno = error;
  return -1;
}
int MODEL(access)(const char *path, int mode) { return MODEL(accessible)(AT_FDCWD, path, mode, 0); }
int MODEL(eaccess)(const char *path, int mode) { return MODEL(accessible)(AT_FDCWD, path, mode, AT_EACCESS); }
int MODEL(euidaccess)(const char *path, int mode) { return MODEL(accessible)(AT_FDCWD, path, mode, AT_EACCESS); }
int MODEL(faccessat)(int directory, const char *path, int mode, int flags) { return MODEL(accessible)(directory, path, mode, flags); }

/* Names of files that the disk does not have, or has no longer. */
char *MODEL(realpath)(const char *path, char *to) {
  int error;
  if (MODEL(in_memory)(AT_FDCWD, path, 1, &error)) __xcute_lost(LOST_FILE);
  return realpath(path, to);
}
