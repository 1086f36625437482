/* What code that is not instrumented does, as far as other threads may see it: state of the C library and of the system, memory that it is given,
 * descriptors that it waits for, and references to exceptions that it counts.
 *
 * All of this stands right before the call, and is done at once with it. It is a step only if more than one thread does the like.
 *
 * Invariant. A call that would block is made only when it does not, or when nobody else can run. */
#define _GNU_SOURCE
#include <poll.h>
#include <sys/syscall.h>
#include "common/system.h"
#include "memory.h"
#include "threads.h"

enum { MOST = 1 << 16 /* bytes of an object that are looked at */ };

XC_SLOW void xc_outside_begin(u32 synchronises) {
  struct xc_fiber *self = XC_SELF;
  self->section++;
  if (!synchronises) return;
  self->outside = 1;
  if (self->last_step) ((struct xc_step *)(XC_SHARED + XC_THREADS->steps_at))[self->last_step - 1].how |= XC_STEP_OUTSIDE;
}

XC_SLOW void xc_outside_end(void) {
  struct xc_fiber *self = XC_SELF;
  if (self->section && !--self->section && XC_T->holder == self) XC_T->holder = 0;
}

/* The whole object, for it may look around. */
XC_SLOW void xc_given_slow(u64 p, u32 how) {
  struct xc_object object;
  int known = xc_object_of(p, &object);
  xc_outside_slow(known ? object.base : p, known ? object.size < MOST ? object.size : MOST : 0, how);
}

u64 xc_descriptor_ready(u32 descriptor, u32 direction) {
  struct pollfd one = {(int)descriptor, direction ? POLLOUT : POLLIN, 0};
  return system_call(SYS_poll, (long[6]){(long)&one, 1, 0}) != 0;
}

XC_SLOW void xc_descriptor_slow(u32 descriptor, u32 direction) {
  struct xc_fiber *self = XC_SELF;
  u64 at = XC_OUTSIDE + 8 * XC_OUTSIDE_FILES, ready = xc_descriptor_ready(descriptor, direction);
  self->hooks++;
  if (!ready && XC_T->n_alive > 1) xc_spin_share(at, 8);
  if (!xc_shared(at)) return;
  self->await = (struct xc_spin){.at = descriptor, .bytes = 1, .op = (u16)(direction + 1)};
  struct xc_next next = {.op = XC_DO_AWAIT, .flags = XC_FULL_ORDER | XC_LATE, .arms = 1, .bytes = 8, .object = at};
  xc_announce(&next, (u64)__builtin_frame_address(0));
  self->await.bytes = self->await.op = 0;
}

/* The head of the ABI's records of exceptions that were thrown: the object itself comes behind it. */
enum { HEAD = 128 /* sizeof(__cxa_refcounted_exception) */, CAUGHT = 112 /* sizeof(__cxa_exception) */, CLASS = 80 /* unwindHeader.exception_class */ };

void *__cxa_get_globals(void) __attribute__((weak));

/* The object that was caught last, or 0. A dependent exception begins with a pointer to the object that it stands for. */
static u64 caught(void) {
  u64 record = __cxa_get_globals ? *(u64 *)__cxa_get_globals() : 0;
  if (!record) return 0;
  u64 class = *(u64 *)(record + CLASS);
  if ((class >> 8) != 0x474e5543432b2bull) return 0; /* GNUCC++ */
  return class & 0xff ? *(u64 *)record : record + CAUGHT;
}

XC_SLOW void xc_exception_slow(u64 p) {
  u64 object = p ? *(u64 *)p : caught();
  xc_outside_slow(object - HEAD, object ? 8 : 0, 1);
}
