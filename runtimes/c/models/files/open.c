/* Opening files: from a path to an open file description, and to a descriptor. */
#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <unistd.h>

struct MODEL(opened) *MODEL(describe_file)(struct MODEL(file) *file, int flags) {
  struct MODEL(opened) *opened = file ? malloc(sizeof *opened) : NULL;
  if (!opened) return NULL;
  *opened = (struct MODEL(opened)){file, 0, flags, 0};
  int access = flags & O_ACCMODE;
  if (access != O_WRONLY) file->readers++;
  if (access != O_RDONLY) file->writers++;
  return opened;
}

/* Whether the mode of a file that the disk does not have lets us. */
static int MODEL(permits)(const struct MODEL(file) *file, int flags) {
  int access = flags & O_ACCMODE;
  unsigned wanted = (access != O_WRONLY ? S_IRUSR : 0) | (access != O_RDONLY ? S_IWUSR : 0);
  if ((file->about.st_mode & wanted) == wanted || geteuid() == 0) return 1;
  errno = EACCES;
  return 0;
}

static int MODEL(disk_permits)(int directory, const struct MODEL(place) *place, int flags) {
  int access = flags & O_ACCMODE, wanted = (access != O_WRONLY ? R_OK : 0) | (access != O_RDONLY || flags & O_TRUNC ? W_OK : 0);
  return faccessat(directory, place->path, wanted, AT_EACCESS) == 0;
}

static struct MODEL(file) *MODEL(create)(int directory, const struct MODEL(place) *place, unsigned mode) {
  if (!MODEL(may_change)(directory, place)) return NULL;
  unsigned mask = umask(0);
  umask(mask);
  struct MODEL(file) *file = MODEL(new_file)(KIND_FILE, mode & 07777 & ~mask);
  if (!file) return NULL;
  file->about.st_dev = place->parent.st_dev;
  MODEL(bind)(place, file);
  return file;
}

/* What the disk has there; NULL and errno 0: it is not a file that could be in memory. */
static struct MODEL(file) *MODEL(adopt)(int directory, const struct MODEL(place) *place, int flags) {
  unsigned mode = place->about.st_mode;
  if (S_ISLNK(mode)) {
    errno = ELOOP; /* O_NOFOLLOW */
    return NULL;
  }
  int null = S_ISCHR(mode) && place->about.st_rdev == makedev(1, 3);
  if ((!null && !S_ISREG(mode)) || !MODEL(disk_permits)(directory, place, flags)) return NULL;
  struct MODEL(file) *file = calloc(1, sizeof *file);
  if (!file) return NULL;
  file->kind = null ? KIND_NULL : KIND_FILE;
  file->on_disk = !null;
  file->about = place->about;
  MODEL(remember)(file);
  return file;
}

static struct MODEL(file) *MODEL(named)(int directory, const char *path, int flags, unsigned mode) {
  struct MODEL(place) *place = MODEL(find)(directory, path, !(flags & O_NOFOLLOW) && (flags & (O_CREAT | O_EXCL)) != (O_CREAT | O_EXCL));
  errno = 0;
  if (place->error == ENOENT && flags & O_CREAT && place->directory && place->base) return MODEL(create)(directory, place, mode);
  if (place->error) {
    errno = place->error;
    return NULL;
  }
  if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) {
    errno = EEXIST;
    return NULL;
  }
  if (!place->file) return MODEL(adopt)(directory, place, flags);
  int may = place->file->on_disk ? MODEL(disk_permits)(directory, place, flags) : MODEL(permits)(place->file, flags);
  return may ? place->file : NULL;
}

struct MODEL(opened) *MODEL(open_file)(int directory, const char *path, int flags, unsigned mode) {
  errno = 0;
  if (flags & (O_DIRECTORY | O_PATH) && (flags & O_TMPFILE) != O_TMPFILE) return NULL;
  struct MODEL(file) *file = directory == AT_FDCWD ? MODEL(input_file)(path) : NULL;
  if ((flags & O_TMPFILE) == O_TMPFILE) file = MODEL(new_file)(KIND_FILE, mode & 07777);
  else if (!file) file = MODEL(named)(directory, path, flags, mode);
  else if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL)) {
    errno = EEXIST;
    return NULL;
  }
  if (!file) return NULL;
  if (flags & O_TRUNC && file->kind == KIND_FILE) MODEL(file_truncate)(file, -1, 0);
  return MODEL(describe_file)(file, flags & ~(O_CREAT | O_EXCL | O_TRUNC | O_CLOEXEC));
}

/* A descriptor of the system for an open file: of the disk's file, or of one that is empty. */
int MODEL(handle_for)(const struct MODEL(opened) *opened, int directory, const char *path, int flags) {
  int descriptor = opened->file->on_disk ? openat(directory, path, O_RDONLY | (flags & (O_CLOEXEC | O_NOFOLLOW))) : -1;
  if (descriptor >= 0) return descriptor;
  if (opened->file->on_disk && errno == EACCES) __xcute_lost(LOST_FILE); /* it may be written to, but not read */
  return open("/dev/null", O_RDWR | (flags & O_CLOEXEC));
}

int MODEL(open_at)(int directory, const char *path, int flags, unsigned mode) {
  directory = MODEL(chosen)(directory);
  flags = MODEL(chosen)(flags);
  int before = errno;
  struct MODEL(opened) *opened = MODEL(open_file)(directory, path, flags, mode);
  if (!opened) return errno ? -1 : openat(directory, path, flags, mode);
  errno = before;
  int descriptor = MODEL(handle_for)(opened, directory, path, flags);
  if (descriptor >= 0) MODEL(attach)(descriptor, opened);
  return descriptor;
}

#define MODE(flags)                                                     \
  va_list list;                                                         \
  va_start(list, flags);                                                \
  int wanted = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;     \
  unsigned mode = wanted ? va_arg(list, unsigned) : 0;                  \
  va_end(list)

#define OPEN(name)                                                      \
  int MODEL(name)(const char *path, int flags, ...) {                   \
    MODE(flags);                                                        \
    return MODEL(open_at)(AT_FDCWD, path, flags, mode);                 \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                    \
  int MODEL(name)(int directory, const char *path, int flags, ...) {    \
    MODE(flags);                                                        \
    return MODEL(open_at)(directory, path, flags, mode);                \
  }
OPENAT(openat)
OPENAT(openat64)

int MODEL(__open_2)(const char *path, int flags) { return MODEL(open_at)(AT_FDCWD, path, flags, 0); }
int MODEL(__open64_2)(const char *path, int flags) { return MODEL(open_at)(AT_FDCWD, path, flags, 0); }
int MODEL(__openat_2)(int directory, const char *path, int flags) { return MODEL(open_at)(directory, path, flags, 0); }
int MODEL(__openat64_2)(int directory, const char *path, int flags) { return MODEL(open_at)(directory, path, flags, 0); }

int MODEL(creat)(const char *path, mode_t mode) { return MODEL(open_at)(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int MODEL(creat64)(const char *path, mode_t mode) { return MODEL(open_at)(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

/* A file without a name. */
int MODEL(memfd_create)(const char *name, unsigned flags) {
  if (name) __xcute_text(name, -1ul);
  int descriptor = memfd_create(name ? "" : NULL, flags);
  struct MODEL(opened) *opened = descriptor >= 0 ? MODEL(describe_file)(MODEL(new_file)(KIND_FILE, 0777), O_RDWR) : NULL;
  if (opened) MODEL(attach)(descriptor, opened);
  return descriptor;
}

/* mkstemp and its like: the first name of its kind that is free. */
static int MODEL(make_unique)(char *path, int after, int flags) {
  static unsigned long made;
  size_t length = strlen(path);
  if (after < 0 || length < 6 + (size_t)after || strncmp(path + length - (size_t)after - 6, "XXXXXX", 6) != 0) {
    errno = EINVAL;
    return -1;
  }
  for (char *word = path + length - (size_t)after - 6;;) {
    unsigned long rest = made++;
    for (int i = 5; i >= 0; i--, rest /= 26) word[i] = (char)('a' + rest % 26);
    int descriptor = MODEL(open_at)(AT_FDCWD, path, (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL, 0600);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
}
#define UNIQUE(name, parameters, after, flags) \
  int MODEL(name) parameters { return MODEL(make_unique)(path, after, flags); }
UNIQUE(mkstemp, (char *path), 0, 0)
UNIQUE(mkstemp64, (char *path), 0, 0)
UNIQUE(mkostemp, (char *path, int flags), 0, flags)
UNIQUE(mkostemp64, (char *path, int flags), 0, flags)
UNIQUE(mkstemps, (char *path, int after), after, 0)
UNIQUE(mkstemps64, (char *path, int after), after, 0)
UNIQUE(mkostemps, (char *path, int after, int flags), after, flags)
UNIQUE(mkostemps64, (char *path, int after, int flags), after, flags)
