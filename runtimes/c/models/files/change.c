/* Models of what changes names and modes: unlink, rename, link, truncate, chmod.
 *
 * **Invariant.** Nothing of this reaches the disk, but what is done to directories. */
#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

static int MODEL(fails)(int error) {
  errno = error;
  return -1;
}

static int MODEL(is_directory)(const struct MODEL(place) *place) { return !place->file && !place->error && S_ISDIR(place->about.st_mode); }

static int MODEL(unlink_at)(int directory, const char *path) {
  struct MODEL(file) *input = directory == AT_FDCWD ? MODEL(input_file)(path) : NULL;
  struct MODEL(place) *place = MODEL(find)(directory, path, 0);
  if (input) {
    MODEL(forget_input)(input);
    if (place->directory) MODEL(bind)(place, NULL);
    return 0;
  }
  if (place->error) return MODEL(fails)(place->error);
  if (MODEL(is_directory)(place)) return MODEL(fails)(EISDIR);
  if (!MODEL(may_change)(directory, place)) return -1;
  if (place->file && place->file->about.st_nlink) place->file->about.st_nlink--;
  MODEL(bind)(place, NULL);
  return 0;
}
int MODEL(unlink)(const char *path) { return MODEL(unlink_at)(AT_FDCWD, path); }

int MODEL(unlinkat)(int directory, const char *path, int flags) {
  return flags & AT_REMOVEDIR ? unlinkat(directory, path, flags) : MODEL(unlink_at)(directory, path);
}

int MODEL(remove)(const char *path) {
  if (MODEL(unlink_at)(AT_FDCWD, path) == 0) return 0;
  return errno == EISDIR ? rmdir(path) : -1;
}

/* The file at a path, in memory: one of the disk is copied. NULL: errno says why not, or 0, if it is none that could be. */
static struct MODEL(file) *MODEL(copied)(int directory, const char *path, int follow) {
  struct MODEL(place) *place = MODEL(find)(directory, path, follow);
  struct MODEL(file) *file = place->file;
  errno = place->error;
  if (errno) return NULL;
  if (!file) {
    if (!S_ISREG(place->about.st_mode)) return NULL;
    file = calloc(1, sizeof *file);
    if (!file) return NULL;
    file->on_disk = 1;
    file->about = place->about;
    MODEL(remember)(file);
  }
  if (!file->on_disk) return file;
  int descriptor = openat(directory, path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    __xcute_lost(LOST_FILE);
    return NULL;
  }
  int loaded = MODEL(file_load)(file, descriptor);
  close(descriptor);
  return loaded ? file : NULL;
}

static int MODEL(rename_at)(int from, const char *old, int to, const char *new, unsigned flags) {
  if (flags & ~RENAME_NOREPLACE) {
    __xcute_lost(LOST_FILE);
    return renameat2(from, old, to, new, flags);
  }
  struct MODEL(file) *file = from == AT_FDCWD ? MODEL(input_file)(old) : NULL;
  int is_input = file != NULL;
  if (!file) file = MODEL(copied)(from, old, 0);
  if (!file) {
    if (errno) return -1;
    if (MODEL(any_names)()) __xcute_lost(LOST_DIRECTORY); /* a directory, a link */
    return renameat2(from, old, to, new, flags);
  }
  struct MODEL(place) *place = MODEL(find)(to, new, 0);
  if (place->error && place->error != ENOENT) return MODEL(fails)(place->error);
  if (!place->directory) return MODEL(fails)(EISDIR);
  if (MODEL(is_directory)(place)) return MODEL(fails)(EISDIR);
  if (!place->error && flags & RENAME_NOREPLACE) return MODEL(fails)(EEXIST);
  if (!MODEL(may_change)(to, place)) return -1;
  if (place->file == file) return 0;
  if (place->file && place->file->about.st_nlink) place->file->about.st_nlink--;
  MODEL(bind)(place, file);
  if (is_input) MODEL(forget_input)(file);
  place = MODEL(find)(from, old, 0);
  if (place->directory) MODEL(bind)(place, NULL);
  return 0;
}
int MODEL(rename)(const char *old, const char *new) { return MODEL(rename_at)(AT_FDCWD, old, AT_FDCWD, new, 0); }
int MODEL(renameat)(int from, const char *old, int to, const char *new) { return MODEL(rename_at)(from, old, to, new, 0); }
int MODEL(renameat2)(int from, const char *old, int to, const char *new, unsigned flags) { return MODEL(rename_at)(from, old, to, new, flags); }

static int MODEL(link_at)(int from, const char *old, int to, const char *new, int follow) {
  struct MODEL(file) *file = MODEL(copied)(from, old, follow);
  if (!file) return errno ? -1 : linkat(from, old, to, new, follow ? AT_SYMLINK_FOLLOW : 0);
  struct MODEL(place) *place = MODEL(find)(to, new, 0);
  if (place->error != ENOENT) return MODEL(fails)(place->error ? place->error : EEXIST);
  if (!place->directory || !MODEL(may_change)(to, place)) return -1;
  file->about.st_nlink++;
  MODEL(bind)(place, file);
  return 0;
}
int MODEL(link)(const char *old, const char *new) { return MODEL(link_at)(AT_FDCWD, old, AT_FDCWD, new, 0); }
int MODEL(linkat)(int from, const char *old, int to, const char *new, int flags) {
  return MODEL(link_at)(from, old, to, new, flags & AT_SYMLINK_FOLLOW);
}

static int MODEL(truncate_path)(const char *path, off_t n) {
  if (n < 0) return MODEL(fails)(EINVAL);
  struct MODEL(file) *file = MODEL(input_file)(path);
  if (!file) file = MODEL(copied)(AT_FDCWD, path, 1);
  if (!file) return MODEL(fails)(errno ? errno : EISDIR);
  return MODEL(file_truncate)(file, -1, (unsigned long)n);
}
int MODEL(truncate)(const char *path, off_t n) { return MODEL(truncate_path)(path, n); }
int MODEL(truncate64)(const char *path, off_t n) { return MODEL(truncate_path)(path, n); }
