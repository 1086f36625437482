/* What a file holds. */
#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct MODEL(file) *MODEL(new_file)(enum MODEL(kind) kind, unsigned mode) {
  static unsigned long made;
  struct MODEL(file) *file = calloc(1, sizeof *file);
  if (!file) return NULL;
  file->kind = kind;
  struct stat *about = &file->about;
  about->st_mode = (kind == KIND_FILE ? S_IFREG : kind == KIND_PIPE ? S_IFIFO : S_IFCHR) | mode;
  about->st_nlink = 1;
  about->st_ino = ++made;
  about->st_blksize = XCM_BLOCK;
  about->st_uid = geteuid();
  about->st_gid = getegid();
  about->st_atime = about->st_mtime = about->st_ctime = time(NULL);
  return file;
}

/* How many bytes an input has is decided here. */
static void MODEL(settle)(struct MODEL(file) *file) {
  if (!file->is_input) return;
  file->size -= __xcute_choose(file->missing);
  file->missing = 0;
  file->is_input = 0;
}

unsigned long MODEL(file_size)(struct MODEL(file) *file, int descriptor) {
  struct stat there;
  if (file->on_disk) return fstat(descriptor, &there) == 0 ? (unsigned long)there.st_size : 0;
  MODEL(settle)(file);
  return file->size;
}

/* Room for this many bytes of its own; 0: there is none. */
static int MODEL(reserve)(struct MODEL(file) *file, unsigned long n) {
  if (n > XCM_MOST_BYTES) {
    __xcute_lost(LOST_SIZE);
    return 0;
  }
  if (file->room >= n && file->room) return 1;
  unsigned long room = file->room ? 2 * file->room : 256;
  if (room < n) room = n;
  unsigned char *data = file->room ? realloc(file->data, room) : malloc(room);
  if (!data) return 0;
  if (!file->room && file->size) memcpy(data, file->data, file->size);
  file->data = data;
  file->room = room;
  return 1;
}

int MODEL(file_load)(struct MODEL(file) *file, int descriptor) {
  MODEL(settle)(file);
  __xcute_touched();
  if (!file->on_disk) return MODEL(reserve)(file, file->size);
  unsigned long size = MODEL(file_size)(file, descriptor);
  if (!MODEL(reserve)(file, size)) return 0;
  long n = MODEL(read_system)(descriptor, file->data, size, 0);
  file->size = n < 0 ? 0 : (unsigned long)n;
  file->on_disk = 0;
  return 1;
}

long MODEL(file_read)(struct MODEL(file) *file, int descriptor, unsigned long at, void *to, unsigned long n) {
  if (file->kind == KIND_NULL) return 0;
  if (file->on_disk) return MODEL(read_system)(descriptor, to, n, (long)at);
  /* A block that is there whole needs no decision about the size. */
  if (file->is_input && (n > file->size || at > file->size - n || at + n + file->missing > file->size)) MODEL(settle)(file);
  if (!file->is_input) {
    if (at >= file->size) return 0;
    at = __xcute_choose(at);
    if (n > file->size - at) n = file->size - at;
  }
  memcpy(to, file->data + at, n);
  return (long)n;
}

long MODEL(file_fill)(struct MODEL(file) *file, int descriptor, unsigned long at, void *to, unsigned long room, unsigned long *there) {
  long n;
  *there = 0;
  if (file->is_input && at + file->missing < file->size) {
    at = __xcute_choose(at);
    n = (long)(file->size - at);
    if ((unsigned long)n > room && at + room + file->missing > file->size) n = (long)room; /* fewer, but how many is open */
    if ((unsigned long)n <= room) {
      memcpy(to, file->data + at, (unsigned long)n);
      *there = file->size - at - file->missing;
      return n;
    }
  }
  n = file->is_input && at + file->missing >= file->size ? 0 : MODEL(file_read)(file, descriptor, at, to, room);
  if (n > 0) *there = (unsigned long)n;
  return n;
}

/* Bytes up to here are zero where nobody wrote any. */
static int MODEL(extend)(struct MODEL(file) *file, unsigned long size) {
  if (!MODEL(reserve)(file, size)) {
    errno = EFBIG;
    return 0;
  }
  if (size > file->size) {
    memset(file->data + file->size, 0, size - file->size);
    file->size = size;
  }
  return 1;
}

long MODEL(file_write)(struct MODEL(file) *file, int descriptor, unsigned long at, const void *from, unsigned long n) {
  if (file->kind == KIND_NULL || !n) return (long)n;
  if (file->mapped) __xcute_lost(LOST_MAPPING);
  at = __xcute_choose(at);
  if (!MODEL(file_load)(file, descriptor) || (at > file->size && !MODEL(extend)(file, at)) || !MODEL(reserve)(file, at + n)) {
    errno = EFBIG;
    return -1;
  }
  memcpy(file->data + at, from, n);
  if (at + n > file->size) file->size = at + n;
  return (long)n;
}

int MODEL(file_truncate)(struct MODEL(file) *file, int descriptor, unsigned long n) {
  if (file->mapped) __xcute_lost(LOST_MAPPING);
  n = __xcute_choose(n);
  if (n == 0) {
    /* Nothing of what is there is needed. */
    file->on_disk = file->is_input = 0;
    file->missing = file->size = 0;
    __xcute_touched();
    return 0;
  }
  if (!MODEL(file_load)(file, descriptor) || !MODEL(extend)(file, n)) return -1;
  file->size = n;
  return 0;
}
