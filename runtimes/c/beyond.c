/* What leaves the program for good, what comes from outside, and what models cannot follow (models/beyond.h).
 *
 * Invariant. Nothing here is symbolic: values that were have been chosen, and the hooks of the calls have checked what they are given. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "memory.h"

u64 __xcute_choose(u64 value) { return value; }
u64 __xcute_block(const void *at, u64 bytes, int write) { (void)at, (void)write; return bytes; }
void __xcute_text(const char *text, u64 most) { (void)text, (void)most; }

/* The variables `stdout` and `stderr` are the program's: it may let them point elsewhere. */
void xc_beyond_start(void) {
  XC_P->standard[0] = (u64)stdout;
  XC_P->standard[1] = (u64)stderr;
}
int __xcute_standard(const FILE *stream) { return (u64)stream == XC_P->standard[0] || (u64)stream == XC_P->standard[1]; }

int __xcute_print(FILE *stream, const char *format, va_list list) { return vfprintf(stream, format, list); }
int __xcute_print_to(int descriptor, const char *format, va_list list) { return vdprintf(descriptor, format, list); }
int __xcute_say(const char *text, FILE *stream) { return fputs(text, stream); }
void __xcute_complain(const char *text) { perror(text); }
u64 __xcute_output(const void *from, u64 bytes, FILE *stream) { return fwrite(from, 1, bytes, stream); }
long __xcute_send(int descriptor, const void *from, u64 bytes) { return write(descriptor, from, bytes); }

/* Where this many bytes can be stored: where they are to be, or, if they might not fit there, elsewhere. */
static void *room_for(void *to, u64 bytes) {
  struct xc_object object;
  if (!bytes || !xc_object_of((u64)to, &object) || bytes <= object.base + object.size - (u64)to) return to;
  void *other = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return other == MAP_FAILED ? to : other;
}

/* This many came: they are concrete, if they fit. */
static void store(void *to, void *from, u64 room, u64 bytes) {
  xc_check((u64)to, bytes, XC_WRITE);
  xc_shadow_clear((u64)to, bytes);
  if (from == to) return;
  xc_copy(to, from, bytes);
  munmap(from, room);
}

long __xcute_receive(long number, const long *a, int buffer) {
  XC_P->outside = 1;
  void *to = (void *)a[buffer];
  u64 room = (u64)a[buffer + 1];
  void *into = room_for(to, room);
  long with[6];
  for (int i = 0; i < 6; i++) with[i] = i == buffer ? (long)into : a[i];
  long n = syscall(number, with[0], with[1], with[2], with[3], with[4], with[5]);
  if (n >= 0 && number == SYS_recvfrom && a[4]) {
    xc_forget((u64)a[5], sizeof(u32));
    xc_forget((u64)a[4], *(u32 *)a[5]);
  }
  if (n >= 0) store(to, into, room, (u64)n < room ? (u64)n : room);
  else if (into != to) munmap(into, room);
  return n;
}

u64 __xcute_fetch(void *to, u64 bytes, FILE *stream) {
  XC_P->outside = 1;
  void *into = room_for(to, bytes);
  u64 n = fread(into, 1, bytes, stream);
  store(to, into, bytes, n);
  return n;
}

/* Whether some byte of a text depends on an input. */
static int is_symbolic(const char *text, u64 bytes) {
  for (u64 i = 0; i < bytes; i++) {
    u32 shadow = *XC_SHADOW_OF(text + i);
    if (shadow && shadow < XC_BLANK && xc_is(shadow >> 3, XC_SYMBOLIC)) return 1;
  }
  return 0;
}

int __xcute_name(const char *name, char *to, u64 room) {
  u64 n = 0;
  while (n < room && name[n]) n++;
  if (is_symbolic(name, n + (n < room))) __xcute_lost(XC_LOST_NAME & 0xff);
  if (n == room) return 0;
  xc_copy(to, name, n + 1);
  xc_shadow_clear((u64)to, n + 1);
  return 1;
}

void __xcute_lost(unsigned what) {
  if (XC_P->running != XC_YES) return;
  xc_event(XC_EV_UNSUPPORTED, XC_LOST_THREAD | what, 0, 0, 0);
  xc_told_place((u64)__builtin_frame_address(0));
}

void __xcute_stream(const FILE *stream, int own) {
  u64 *all = XC_P->streams, n = XC_P->n_streams, at = 0;
  while (at < n && all[at] != (u64)stream) at++;
  if (own && at == n && n < XC_STREAMS) all[XC_P->n_streams++] = (u64)stream;
  if (!own && at < n) all[at] = all[--XC_P->n_streams];
}

int xc_is_stream(u64 p) {
  for (u64 i = 0; i < XC_P->n_streams; i++)
    if (XC_P->streams[i] == p) return 1;
  return 0;
}

void __xcute_touched(void) { XC_P->touched = XC->run; }

void __xcute_maps(int access) {
  XC_P->mapped = XC->run;
  if (access & PROT_WRITE) __xcute_lost(XC_LOST_MAPPING & 0xff);
}
