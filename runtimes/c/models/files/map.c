/* Models of mmap and sendfile for files in memory: a mapping is a copy.
 *
 * **Invariant.** Where the copy and the file could come to differ, that is a limit. */
#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

ssize_t MODEL(pread)(int descriptor, void *to, size_t n, off_t at);

static void *MODEL(map)(void *at, size_t n, int access, int flags, int descriptor, off_t offset) {
  descriptor = MODEL(chosen)(descriptor);
  flags = MODEL(chosen)(flags);
  struct MODEL(opened) *o = flags & MAP_ANONYMOUS ? NULL : MODEL(opened_at)(descriptor);
  if (!(flags & MAP_ANONYMOUS) && (flags & MAP_TYPE) != MAP_PRIVATE) __xcute_maps(access);
  if (!o || o->file->on_disk) {
    if (o) o->file->mapped |= (flags & MAP_TYPE) != MAP_PRIVATE;
    return mmap(at, n, access, flags, descriptor, offset);
  }
  if (o->file->kind != KIND_FILE || (o->flags & O_ACCMODE) == O_WRONLY) {
    errno = o->file->kind == KIND_FILE ? EACCES : ENODEV;
    return MAP_FAILED;
  }
  n = __xcute_choose(n);
  void *mapped = mmap(at, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | (flags & MAP_FIXED), -1, 0);
  if (mapped == MAP_FAILED) return mapped;
  if ((flags & MAP_TYPE) != MAP_PRIVATE) o->file->mapped = 1;
  MODEL(file_read)(o->file, descriptor, (unsigned long)offset, mapped, n);
  return mapped;
}
void *MODEL(mmap)(void *at, size_t n, int access, int flags, int d, off_t offset) { return MODEL(map)(at, n, access, flags, d, offset); }
void *MODEL(mmap64)(void *at, size_t n, int access, int flags, int d, off_t offset) { return MODEL(map)(at, n, access, flags, d, offset); }

/* Between two descriptors, in blocks; NULL: the description's own place. */
static ssize_t MODEL(transfer)(int from, off_t *from_at, int to, off_t *to_at, size_t n) {
  unsigned char block[XCM_BLOCK];
  size_t done = 0;
  n = __xcute_choose(n);
  while (done < n) {
    size_t part = n - done < sizeof block ? n - done : sizeof block;
    ssize_t k = from_at ? MODEL(pread)(from, block, part, *from_at) : MODEL(take)(from, block, part);
    if (k <= 0) return done ? (ssize_t)done : k;
    if (from_at) *from_at += k;
    if (to_at) {
      long before = MODEL(seek)(to, 0, SEEK_CUR);
      MODEL(seek)(to, *to_at, SEEK_SET);
      k = MODEL(give)(to, block, (size_t)k);
      MODEL(seek)(to, before, SEEK_SET);
      if (k > 0) *to_at += k;
    } else {
      k = MODEL(give)(to, block, (size_t)k);
    }
    if (k <= 0) return done ? (ssize_t)done : k;
    done += (size_t)k;
    if ((size_t)k < part) break;
  }
  return (ssize_t)done;
}

static int MODEL(either_is_ours)(int a, int b) { return MODEL(opened_at)(MODEL(chosen)(a)) || MODEL(opened_at)(MODEL(chosen)(b)); }

ssize_t MODEL(sendfile)(int to, int from, off_t *at, size_t n) {
  return MODEL(either_is_ours)(to, from) ? MODEL(transfer)(from, at, to, NULL, n) : sendfile(to, from, at, n);
}
ssize_t MODEL(sendfile64)(int to, int from, off_t *at, size_t n) {
  return MODEL(either_is_ours)(to, from) ? MODEL(transfer)(from, at, to, NULL, n) : sendfile(to, from, at, n);
}
ssize_t MODEL(copy_file_range)(int from, off_t *from_at, int to, off_t *to_at, size_t n, unsigned flags) {
  return MODEL(either_is_ours)(to, from) ? MODEL(transfer)(from, from_at, to, to_at, n) : copy_file_range(from, from_at, to, to_at, n, flags);
}
