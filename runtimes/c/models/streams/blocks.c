/* Models of what reads from descriptors and writes to them: read, write, recv, send and their like. */
#define _GNU_SOURCE
#include "streams.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#if !XCUTE_FILES
long MODEL(take)(int descriptor, void *to, unsigned long n);
long MODEL(give)(int descriptor, const void *from, unsigned long n);
long MODEL(take_at)(int descriptor, void *to, unsigned long n, long at);
long MODEL(give_at)(int descriptor, const void *from, unsigned long n, long at);
#endif

enum { MOST_BLOCKS = 1024 };

long MODEL(read_system)(int descriptor, void *to, unsigned long n, long at) {
  unsigned long done = 0;
  do {
    long where = at < 0 ? 0 : at + (long)done, arguments[6] = {descriptor, (long)((char *)to + done), (long)(n - done), where, 0, 0};
    long k = __xcute_receive(at < 0 ? SYS_read : SYS_pread64, arguments, 1);
    if (k < 0) return done ? (long)done : -1;
    done += (unsigned long)k;
    if (!k) break;
  } while (at >= 0 && done < n);
  return (long)done;
}

static int MODEL(number)(int descriptor) { return (int)__xcute_choose((unsigned)descriptor); }

static ssize_t MODEL(read_from)(int descriptor, void *to, size_t n) {
  descriptor = MODEL(number)(descriptor);
  if (XCUTE_FILES) return MODEL(take)(descriptor, to, n);
  return MODEL(read_system)(descriptor, to, __xcute_choose(n), -1);
}
ssize_t MODEL(read)(int descriptor, void *to, size_t n) { return MODEL(read_from)(descriptor, to, n); }
ssize_t MODEL(__read_chk)(int descriptor, void *to, size_t n, size_t room) { (void)room; return MODEL(read_from)(descriptor, to, n); }

/* Where nobody can read it again, it just goes out. */
ssize_t MODEL(write)(int descriptor, const void *from, size_t n) {
  descriptor = MODEL(number)(descriptor);
  n = __xcute_block(from, n, 0);
  if (XCUTE_FILES) return MODEL(give)(descriptor, from, n);
  return descriptor == 1 || descriptor == 2 ? __xcute_send(descriptor, from, n) : write(descriptor, from, n);
}

static ssize_t MODEL(read_at)(int descriptor, void *to, size_t n, off_t at) {
  descriptor = MODEL(number)(descriptor);
  if (XCUTE_FILES) return MODEL(take_at)(descriptor, to, n, at);
  long arguments[6] = {descriptor, (long)to, (long)__xcute_choose(n), (long)__xcute_choose((unsigned long)at), 0, 0};
  return __xcute_receive(SYS_pread64, arguments, 1);
}
ssize_t MODEL(pread)(int descriptor, void *to, size_t n, off_t at) { return MODEL(read_at)(descriptor, to, n, at); }
ssize_t MODEL(pread64)(int descriptor, void *to, size_t n, off_t at) { return MODEL(read_at)(descriptor, to, n, at); }
ssize_t MODEL(__pread_chk)(int descriptor, void *to, size_t n, off_t at, size_t room) { (void)room; return MODEL(read_at)(descriptor, to, n, at); }
ssize_t MODEL(__pread64_chk)(int descriptor, void *to, size_t n, off_t at, size_t room) { (void)room; return MODEL(read_at)(descriptor, to, n, at); }

static ssize_t MODEL(write_at)(int descriptor, const void *from, size_t n, off_t at) {
  descriptor = MODEL(number)(descriptor);
  n = __xcute_block(from, n, 0);
  return XCUTE_FILES ? MODEL(give_at)(descriptor, from, n, at) : pwrite(descriptor, from, n, at);
}
ssize_t MODEL(pwrite)(int descriptor, const void *from, size_t n, off_t at) { return MODEL(write_at)(descriptor, from, n, at); }
ssize_t MODEL(pwrite64)(int descriptor, const void *from, size_t n, off_t at) { return MODEL(write_at)(descriptor, from, n, at); }

/* Each block in turn, until one is not filled. An error counts only if nothing came before. */
#define VECTOR(name, type, move)                                                           \
  ssize_t MODEL(name)(int descriptor, const struct iovec *blocks, int count) {             \
    ssize_t done = 0;                                                                      \
    count = (int)__xcute_choose((unsigned)count);                                          \
    if (count < 0 || count > MOST_BLOCKS) {                                                \
      errno = EINVAL;                                                                      \
      return -1;                                                                           \
    }                                                                                      \
    for (int i = 0; i < count; i++) {                                                      \
      type at = blocks[i].iov_base;                                                        \
      ssize_t n = (ssize_t)blocks[i].iov_len, k = n ? move(descriptor, at, (size_t)n) : 0; \
      if (k < 0) return done ? done : k;                                                   \
      done += k;                                                                           \
      if (k < n) break;                                                                    \
    }                                                                                      \
    return done;                                                                           \
  }
VECTOR(readv, void *, MODEL(read))
VECTOR(writev, const void *, MODEL(write))

/* Sockets are the system's. */
static ssize_t MODEL(receive)(int socket, void *to, size_t n, int flags, struct sockaddr *from, socklen_t *length) {
  long arguments[6] = {MODEL(number)(socket), (long)to, (long)__xcute_choose(n), MODEL(number)(flags), (long)from, (long)length};
  return __xcute_receive(SYS_recvfrom, arguments, 1);
}
ssize_t MODEL(recv)(int socket, void *to, size_t n, int flags) { return MODEL(receive)(socket, to, n, flags, NULL, NULL); }
ssize_t MODEL(__recv_chk)(int socket, void *to, size_t n, size_t room, int flags) { (void)room; return MODEL(receive)(socket, to, n, flags, NULL, NULL); }
ssize_t MODEL(recvfrom)(int socket, void *to, size_t n, int flags, struct sockaddr *from, socklen_t *length) {
  return MODEL(receive)(socket, to, n, flags, from, length);
}
ssize_t MODEL(send)(int socket, const void *from, size_t n, int flags) {
  n = __xcute_block(from, n, 0);
  return send(socket, from, n, flags);
}
ssize_t MODEL(sendto)(int socket, const void *from, size_t n, int flags, const struct sockaddr *to, socklen_t length) {
  n = __xcute_block(from, n, 0);
  return sendto(socket, from, n, flags, to, length);
}

/* What the system stores elsewhere. */
ssize_t MODEL(readlink)(const char *path, char *to, size_t n) {
  static char name[4096];
  long arguments[6] = {(long)name, (long)to, (long)__xcute_choose(n), 0, 0, 0};
  if (__xcute_name(path, name, sizeof name)) return __xcute_receive(SYS_readlink, arguments, 1);
  errno = ENAMETOOLONG;
  return -1;
}
ssize_t MODEL(getrandom)(void *to, size_t n, unsigned flags) {
  long arguments[6] = {(long)to, (long)__xcute_choose(n), MODEL(number)((int)flags), 0, 0, 0};
  return __xcute_receive(SYS_getrandom, arguments, 0);
}
