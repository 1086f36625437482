/* Functions of the C library and system calls that run as they are: what they are given is checked as the program's own accesses are.
 *
 * What a function reads is checked before it is called. What it writes is checked before, where that is always the same, and else written to a place of ours first: what came
 * is checked to fit.
 *
 * **Invariant.** Only memory that the function surely touches is checked: an object that a call leaves alone may be of any size. */
#define _GNU_SOURCE
#include "beyond.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <math.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static void MODEL(reads)(const void *from, unsigned long bytes) { __xcute_block(from, bytes, 0); }
static void MODEL(writes)(void *to, unsigned long bytes) { __xcute_block(to, bytes, 1); }
static void MODEL(text)(const char *text) { __xcute_text(text, ULONG_MAX); }

/* A function that does its work when this was done: its type, name, parameters, and the call. */
#define BORDER(type, name, parameters, check, ...) \
  type MODEL(name) parameters {                    \
    check;                                         \
    return name(__VA_ARGS__);                      \
  }

/* Objects of a fixed size that are written. */
BORDER(int, uname, (struct utsname * to), MODEL(writes)(to, sizeof *to), to)
BORDER(int, sysinfo, (struct sysinfo * to), MODEL(writes)(to, sizeof *to), to)
BORDER(int, getrusage, (__rusage_who_t who, struct rusage *to), MODEL(writes)(to, sizeof *to), who, to)
BORDER(int, getrlimit, (__rlimit_resource_t which, struct rlimit *to), MODEL(writes)(to, sizeof *to), which, to)
BORDER(int, setrlimit, (__rlimit_resource_t which, const struct rlimit *from), MODEL(reads)(from, sizeof *from), which, from)
BORDER(int, fstatvfs, (int descriptor, struct statvfs *to), MODEL(writes)(to, sizeof *to), descriptor, to)
BORDER(int, socketpair, (int domain, int type, int protocol, int to[2]), MODEL(writes)(to, 2 * sizeof *to), domain, type, protocol, to)
BORDER(int, getentropy, (void *to, size_t n), MODEL(writes)(to, n), to, n)
BORDER(void, explicit_bzero, (void *to, size_t n), MODEL(writes)(to, n), to, n)
BORDER(double, frexp, (double x, int *to), MODEL(writes)(to, sizeof *to), x, to)
BORDER(float, frexpf, (float x, int *to), MODEL(writes)(to, sizeof *to), x, to)
BORDER(double, modf, (double x, double *to), MODEL(writes)(to, sizeof *to), x, to)
BORDER(float, modff, (float x, float *to), MODEL(writes)(to, sizeof *to), x, to)
BORDER(double, remquo, (double x, double y, int *to), MODEL(writes)(to, sizeof *to), x, y, to)
BORDER(int, rand_r, (unsigned *seed), MODEL(writes)(seed, sizeof *seed), seed)
BORDER(double, erand48, (unsigned short seed[3]), MODEL(writes)(seed, 3 * sizeof *seed), seed)
BORDER(long, nrand48, (unsigned short seed[3]), MODEL(writes)(seed, 3 * sizeof *seed), seed)
BORDER(long, jrand48, (unsigned short seed[3]), MODEL(writes)(seed, 3 * sizeof *seed), seed)
BORDER(clock_t, times, (struct tms * to), if (to) MODEL(writes)(to, sizeof *to), to)

/* Times. */
BORDER(struct tm *, gmtime, (const time_t *from), MODEL(reads)(from, sizeof *from), from)
BORDER(struct tm *, localtime, (const time_t *from), MODEL(reads)(from, sizeof *from), from)
BORDER(char *, ctime, (const time_t *from), MODEL(reads)(from, sizeof *from), from)
BORDER(char *, asctime, (const struct tm *from), MODEL(reads)(from, sizeof *from), from)
BORDER(time_t, mktime, (struct tm * from), MODEL(writes)(from, sizeof *from), from)
BORDER(time_t, timegm, (struct tm * from), MODEL(writes)(from, sizeof *from), from)
struct tm *MODEL(gmtime_r)(const time_t *restrict from, struct tm *restrict to) {
  MODEL(reads)(from, sizeof *from);
  MODEL(writes)(to, sizeof *to);
  return gmtime_r(from, to);
}
struct tm *MODEL(localtime_r)(const time_t *restrict from, struct tm *restrict to) {
  MODEL(reads)(from, sizeof *from);
  MODEL(writes)(to, sizeof *to);
  return localtime_r(from, to);
}

/* Addresses and options of sockets. */
BORDER(int, connect, (int socket, const struct sockaddr *from, socklen_t n), MODEL(reads)(from, n), socket, from, n)
BORDER(int, setsockopt, (int socket, int level, int option, const void *from, socklen_t n), MODEL(reads)(from, n), socket, level, option, from, n)

/* Texts that are read. */
BORDER(int, setenv, (const char *name, const char *value, int replace), (MODEL(text)(name), MODEL(text)(value)), name, value, replace)
BORDER(int, unsetenv, (const char *name), MODEL(text)(name), name)
BORDER(int, putenv, (char *text), MODEL(text)(text), text)
BORDER(int, system, (const char *text), if (text) MODEL(text)(text), text)
BORDER(int, chdir, (const char *path), MODEL(text)(path), path)
BORDER(int, mkdir, (const char *path, mode_t mode), MODEL(text)(path), path, mode)
BORDER(int, symlink, (const char *to, const char *path), (MODEL(text)(to), MODEL(text)(path)), to, path)
BORDER(int, strcoll, (const char *a, const char *b), (MODEL(text)(a), MODEL(text)(b)), a, b)
BORDER(int, fnmatch, (const char *pattern, const char *text, int flags), (MODEL(text)(pattern), MODEL(text)(text)), pattern, text, flags)
BORDER(int, regcomp, (regex_t *restrict to, const char *restrict pattern, int flags), MODEL(text)(pattern), to, pattern, flags)
BORDER(in_addr_t, inet_addr, (const char *text), MODEL(text)(text), text)

/* What came is checked to fit. */
static void MODEL(store)(void *to, const void *from, unsigned long bytes) {
  __xcute_block(to, bytes, 1);
  memcpy(to, from, bytes);
}

enum { ROOM = 4096 };

char *MODEL(getcwd)(char *to, size_t n) {
  n = __xcute_choose(n);
  if (!to || n > ROOM) return getcwd(to, n);
  char own[ROOM];
  if (!getcwd(own, n)) return NULL;
  MODEL(store)(to, own, strlen(own) + 1);
  return to;
}

int MODEL(gethostname)(char *to, size_t n) {
  n = __xcute_choose(n);
  if (n > ROOM) return gethostname(to, n);
  char own[ROOM] = {0};
  int failed = gethostname(own, n);
  /* A name that is too long is cut off, without an end. */
  unsigned long length = strnlen(own, n);
  if (!failed) MODEL(store)(to, own, length < n ? length + 1 : n);
  return failed;
}

size_t MODEL(strftime)(char *restrict to, size_t n, const char *restrict format, const struct tm *restrict time) {
  MODEL(reads)(time, sizeof *time);
  MODEL(text)(format);
  n = __xcute_choose(n);
  if (n > ROOM) return strftime(to, n, format, time);
  char own[ROOM];
  size_t length = strftime(own, n, format, time);
  if (length) MODEL(store)(to, own, length + 1);
  return length;
}

const char *MODEL(inet_ntop)(int family, const void *restrict from, char *restrict to, socklen_t n) {
  if (family == AF_INET || family == AF_INET6) MODEL(reads)(from, family == AF_INET ? 4 : 16);
  char own[INET6_ADDRSTRLEN];
  n = (socklen_t)__xcute_choose(n);
  if (!inet_ntop(family, from, own, n < sizeof own ? n : sizeof own)) return NULL;
  MODEL(store)(to, own, strlen(own) + 1);
  return to;
}

int MODEL(inet_pton)(int family, const char *restrict text, void *restrict to) {
  MODEL(text)(text);
  char own[16];
  int known = inet_pton(family, text, own);
  if (known == 1) MODEL(store)(to, own, family == AF_INET ? 4 : 16);
  return known;
}

int MODEL(inet_aton)(const char *text, struct in_addr *to) {
  MODEL(text)(text);
  struct in_addr own;
  int known = inet_aton(text, &own);
  if (known && to) MODEL(store)(to, &own, sizeof own);
  return known;
}

size_t MODEL(strxfrm)(char *restrict to, const char *restrict from, size_t n) {
  MODEL(text)(from);
  n = __xcute_choose(n);
  size_t length = strxfrm(NULL, from, 0);
  if (n) MODEL(writes)(to, length < n ? length + 1 : 0);
  return strxfrm(to, from, n);
}

char *MODEL(asctime_r)(const struct tm *restrict from, char *restrict to) {
  MODEL(reads)(from, sizeof *from);
  char own[128];
  if (!asctime_r(from, own)) return NULL;
  MODEL(store)(to, own, strlen(own) + 1);
  return to;
}

char *MODEL(ctime_r)(const time_t *restrict from, char *restrict to) {
  MODEL(reads)(from, sizeof *from);
  char own[128];
  if (!ctime_r(from, own)) return NULL;
  MODEL(store)(to, own, strlen(own) + 1);
  return to;
}

char *MODEL(gcvt)(double x, int digits, char *to) {
  digits = (int)__xcute_choose((unsigned)digits);
  char own[512];
  if (digits > 400) return gcvt(x, digits, to);
  gcvt(x, digits, own);
  MODEL(store)(to, own, strlen(own) + 1);
  return to;
}

int MODEL(getgroups)(int n, gid_t *to) {
  n = (int)__xcute_choose((unsigned)n);
  int all = getgroups(0, NULL);
  if (n >= all && all > 0) MODEL(writes)(to, (unsigned long)all * sizeof *to);
  return getgroups(n, to);
}
