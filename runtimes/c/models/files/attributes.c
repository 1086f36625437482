/* Models of what changes modes, owners and times of files in memory. Those of the disk are the system's. */
#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

static struct MODEL(file) *MODEL(of_path)(int directory, const char *path, int follow) {
  struct MODEL(file) *file = directory == AT_FDCWD ? MODEL(input_file)(path) : NULL;
  if (file) return file;
  struct MODEL(place) *place = MODEL(find)(directory, path, follow);
  return place->file && !place->file->on_disk ? place->file : NULL;
}

static struct MODEL(file) *MODEL(of_descriptor)(int descriptor) {
  struct MODEL(opened) *o = MODEL(opened_at)(MODEL(chosen)(descriptor));
  return o && !o->file->on_disk ? o->file : NULL;
}

static int MODEL(set_mode)(struct MODEL(file) *file, mode_t mode) {
  file->about.st_mode = (file->about.st_mode & S_IFMT) | (mode & 07777);
  return 0;
}

static int MODEL(set_times)(struct MODEL(file) *file, const struct timespec *times) {
  struct timespec now[2];
  clock_gettime(CLOCK_REALTIME, &now[0]);
  for (int i = 0; i < 2; i++) {
    struct timespec *to = i ? &file->about.st_mtim : &file->about.st_atim;
    if (!times || times[i].tv_nsec == UTIME_NOW) *to = now[0];
    else if (times[i].tv_nsec != UTIME_OMIT) *to = times[i];
  }
  return 0;
}

/* `found` is in memory, or the system is asked. */
#define EITHER(found, ours, systems)      \
  do {                                    \
    struct MODEL(file) *file = found;     \
    return file ? ours : systems;         \
  } while (0)

int MODEL(chmod)(const char *path, mode_t mode) { EITHER(MODEL(of_path)(AT_FDCWD, path, 1), MODEL(set_mode)(file, mode), chmod(path, mode)); }
int MODEL(fchmod)(int d, mode_t mode) { EITHER(MODEL(of_descriptor)(d), MODEL(set_mode)(file, mode), fchmod(d, mode)); }
int MODEL(fchmodat)(int d, const char *path, mode_t mode, int flags) {
  EITHER(MODEL(of_path)(d, path, 1), MODEL(set_mode)(file, mode), fchmodat(d, path, mode, flags));
}

/* Owners stay what they are: a program that could change them would be the superuser's. */
int MODEL(chown)(const char *path, uid_t user, gid_t group) { EITHER(MODEL(of_path)(AT_FDCWD, path, 1), 0, chown(path, user, group)); }
int MODEL(lchown)(const char *path, uid_t user, gid_t group) { EITHER(MODEL(of_path)(AT_FDCWD, path, 0), 0, lchown(path, user, group)); }
int MODEL(fchown)(int d, uid_t user, gid_t group) { EITHER(MODEL(of_descriptor)(d), 0, fchown(d, user, group)); }
int MODEL(fchownat)(int d, const char *path, uid_t user, gid_t group, int flags) {
  EITHER(MODEL(of_path)(d, path, !(flags & AT_SYMLINK_NOFOLLOW)), 0, fchownat(d, path, user, group, flags));
}

int MODEL(utimensat)(int d, const char *path, const struct timespec *times, int flags) {
  EITHER(path ? MODEL(of_path)(d, path, !(flags & AT_SYMLINK_NOFOLLOW)) : MODEL(of_descriptor)(d), MODEL(set_times)(file, times),
         utimensat(d, path, times, flags));
}
int MODEL(futimens)(int d, const struct timespec *times) { EITHER(MODEL(of_descriptor)(d), MODEL(set_times)(file, times), futimens(d, times)); }

static int MODEL(set_microseconds)(struct MODEL(file) *file, const struct timeval *times) {
  struct timespec precise[2];
  for (int i = 0; times && i < 2; i++) precise[i] = (struct timespec){times[i].tv_sec, times[i].tv_usec * 1000};
  return MODEL(set_times)(file, times ? precise : NULL);
}
int MODEL(utimes)(const char *path, const struct timeval *times) {
  EITHER(MODEL(of_path)(AT_FDCWD, path, 1), MODEL(set_microseconds)(file, times), utimes(path, times));
}
int MODEL(futimes)(int d, const struct timeval *times) { EITHER(MODEL(of_descriptor)(d), MODEL(set_microseconds)(file, times), futimes(d, times)); }

int MODEL(utime)(const char *path, const struct utimbuf *times) {
  struct timeval precise[2] = {{times ? times->actime : 0, 0}, {times ? times->modtime : 0, 0}};
  EITHER(MODEL(of_path)(AT_FDCWD, path, 1), MODEL(set_microseconds)(file, times ? precise : NULL), utime(path, times));
}
