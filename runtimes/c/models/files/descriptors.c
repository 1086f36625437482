/* Descriptors: which open file each is, and dup, close and fcntl. */
#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

static struct MODEL(opened) *MODEL(table)[XCM_MOST_OPEN];

/* Standard input is open from the start. */
static void MODEL(start)(void) {
  static int started;
  if (started) return;
  started = 1;
  struct MODEL(opened) *input = MODEL(describe_file)(MODEL(standard_input)(), O_RDONLY);
  if (!input) return;
  input->uses = 1;
  MODEL(table)[0] = input;
}

struct MODEL(opened) *MODEL(opened_at)(int descriptor) {
  MODEL(start)();
  return descriptor >= 0 && descriptor < XCM_MOST_OPEN ? MODEL(table)[descriptor] : NULL;
}

void MODEL(detach)(int descriptor) {
  struct MODEL(opened) *o = MODEL(opened_at)(descriptor);
  if (!o) return;
  MODEL(table)[descriptor] = NULL;
  if (--o->uses) return;
  int access = o->flags & O_ACCMODE;
  if (access != O_WRONLY) o->file->readers--;
  if (access != O_RDONLY) o->file->writers--;
  free(o);
}

void MODEL(attach)(int descriptor, struct MODEL(opened) *opened) {
  MODEL(start)();
  if (descriptor < 0) return;
  if (descriptor >= XCM_MOST_OPEN) {
    __xcute_lost(LOST_FILE);
    return;
  }
  MODEL(detach)(descriptor);
  opened->uses++;
  MODEL(table)[descriptor] = opened;
}

int MODEL(close)(int descriptor) {
  descriptor = MODEL(chosen)(descriptor);
  MODEL(detach)(descriptor);
  return close(descriptor);
}

/* A second descriptor of an open file, which the system has made. */
static int MODEL(share)(struct MODEL(opened) *o, int descriptor) {
  if (descriptor < 0) return descriptor;
  MODEL(detach)(descriptor);
  if (o) MODEL(attach)(descriptor, o);
  return descriptor;
}

int MODEL(dup)(int from) {
  from = MODEL(chosen)(from);
  struct MODEL(opened) *o = MODEL(opened_at)(from);
  return MODEL(share)(o, dup(from));
}

int MODEL(dup2)(int from, int to) {
  from = MODEL(chosen)(from);
  to = MODEL(chosen)(to);
  struct MODEL(opened) *o = MODEL(opened_at)(from);
  if (from == to) return dup2(from, to);
  return MODEL(share)(o, dup2(from, to));
}

int MODEL(dup3)(int from, int to, int flags) {
  from = MODEL(chosen)(from);
  to = MODEL(chosen)(to);
  struct MODEL(opened) *o = MODEL(opened_at)(from);
  return MODEL(share)(o, dup3(from, to, flags));
}

static int MODEL(control)(int descriptor, int what, void *argument) {
  descriptor = MODEL(chosen)(descriptor);
  what = MODEL(chosen)(what);
  struct MODEL(opened) *o = MODEL(opened_at)(descriptor);
  enum { CHANGED = O_APPEND | O_NONBLOCK | O_ASYNC | O_DIRECT | O_NOATIME };
  struct flock *lock = argument;
  if (what == F_DUPFD || what == F_DUPFD_CLOEXEC) return MODEL(share)(o, fcntl(descriptor, what, argument));
  if (!o) return fcntl(descriptor, what, argument);
  switch (what) {
    case F_GETFL: return o->flags;
    case F_SETFL: o->flags = (o->flags & ~CHANGED) | ((int)(long)argument & CHANGED); return 0;
    /* Nobody else has a lock. */
    case F_GETLK: case F_OFD_GETLK: lock->l_type = F_UNLCK; return 0;
    case F_SETLK: case F_SETLKW: case F_OFD_SETLK: case F_OFD_SETLKW: return 0;
    case F_GETFD: case F_SETFD: return fcntl(descriptor, what, argument);
    default: __xcute_lost(LOST_FILE); return fcntl(descriptor, what, argument);
  }
}

#define CONTROL(name)                                 \
  int MODEL(name)(int descriptor, int what, ...) {    \
    va_list list;                                     \
    va_start(list, what);                             \
    void *argument = va_arg(list, void *);            \
    va_end(list);                                     \
    return MODEL(control)(descriptor, what, argument); \
  }
CONTROL(fcntl)
CONTROL(fcntl64)

static int MODEL(is_ours)(int descriptor) { return MODEL(opened_at)(MODEL(chosen)(descriptor)) != NULL; }
int MODEL(flock)(int descriptor, int what) { return MODEL(is_ours)(descriptor) ? 0 : flock(descriptor, what); }
int MODEL(lockf)(int descriptor, int what, off_t n) { return MODEL(is_ours)(descriptor) ? 0 : lockf(descriptor, what, n); }
int MODEL(lockf64)(int descriptor, int what, off_t n) { return MODEL(is_ours)(descriptor) ? 0 : lockf(descriptor, what, n); }
int MODEL(fsync)(int descriptor) { return MODEL(is_ours)(descriptor) ? 0 : fsync(descriptor); }
int MODEL(fdatasync)(int descriptor) { return MODEL(is_ours)(descriptor) ? 0 : fdatasync(descriptor); }
