/* Whether an object of synchronisation lives: a word of the subject's own memory says so, as the kind of a mutex does in the C library.
 *
 * A static initialiser, a fresh frame or calloc make an object without a call that we could see. They leave 0 where a used object has its mark,
 * so the object begins again.
 *
 * Invariant. Marks are written only while a run is under way; what constructors initialise has none. */
#ifndef XCUTE_LIFE_H
#define XCUTE_LIFE_H
#include "threads.h"

enum { XC_USED = 0x75736564, XC_GONE = 0x676f6e65 };

/* Words of the object at `address`: the first tells of its life, or the second where the first is a number that *_init leaves there. */
static inline u32 *xc_word(u64 address, u32 i) { return (u32 *)address + i; }

/* The object of a condition variable or rwlock that is used now. */
static inline struct xc_sync *xc_living(u64 address, u32 kind, const char *gone) {
  struct xc_sync *sync = xc_sync_of(address, kind);
  u32 *mark = xc_word(address, 0);
  if (*mark == XC_GONE) xc_fail_sync(XC_CHECK_DESTROYED, gone);
  if (*mark != XC_USED || !sync->initialised) {
    sync->initialised = 1;
    sync->owner = sync->count = sync->n_waiters = 0;
    sync->first_waiter = sync->last_waiter = 0;
    *mark = XC_USED;
  }
  return sync;
}

/* *_init: the memory is that of a new object of this many bytes. */
static inline void xc_born(void *object, u64 bytes) {
  xc_zero(object, bytes);
  if (XC_P->running == XC_YES) xc_shadow_clear((u64)object, bytes);
}

/* A number that the subject gets: it is concrete and initialised. */
static inline void xc_give(void *to, u64 bytes) {
  if (XC_P->running == XC_YES) xc_shadow_clear((u64)to, bytes);
}
#endif
