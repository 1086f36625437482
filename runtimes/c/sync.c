/* The objects of synchronisation of this run, by address.
 *
 * Invariant. A slot of the hash table counts only if it is of this run, so nothing has to be cleared between runs. */
#include <stddef.h>
#include "threads.h"

enum { SLOTS = 2 * XC_SYNC_OBJECTS };

static struct xc_slot *slot_of(u64 address, u32 kind, u32 type) {
  u64 at = (address * 0x9e3779b97f4a7c15ull + (u64)kind * 0x85ebca6b + (u64)type * 0xc2b2ae35u) >> 40;
  for (;; at++) {
    struct xc_slot *slot = &XC_SYNC_SLOTS[at % SLOTS];
    if (slot->run != XC->run) return slot;
    const struct xc_sync *sync = &XC_SYNCS[slot->index];
    if (sync->address == address && sync->kind == kind && (kind != XC_SYNC_SHARE || sync->type == type)) return slot;
  }
}

static struct xc_sync *make(struct xc_slot *slot, u64 address, u32 kind, u32 type) {
  if (slot->run == XC->run) return &XC_SYNCS[slot->index];
  if (XC_T->n_syncs == XC_SYNC_OBJECTS) xc_end(XC_OUT_OF_MEMORY);
  *slot = (struct xc_slot){XC->run, XC_T->n_syncs++};
  struct xc_sync *sync = &XC_SYNCS[slot->index];
  *sync = (struct xc_sync){.address = address, .kind = kind, .run = XC->run, .type = type};
  return sync;
}

struct xc_sync *xc_sync_at(u64 address, u32 kind) { return make(slot_of(address, kind, 0), address, kind, 0); }

struct xc_sync *xc_sync_of(u64 address, u32 kind) {
  xc_check(address, 4, XC_WRITE); /* the smallest is an int */
  return xc_sync_at(address, kind);
}

struct xc_sync *xc_sync_find(u64 address, u32 kind) {
  struct xc_slot *slot = slot_of(address, kind, 0);
  return slot->run == XC->run ? &XC_SYNCS[slot->index] : NULL;
}

struct xc_sync *xc_share_of(u64 address, u32 task) { return make(slot_of(address, XC_SYNC_SHARE, task), address, XC_SYNC_SHARE, task); }

void xc_waiter_add(struct xc_sync *sync) {
  struct xc_fiber *self = XC_SELF;
  self->waits = sync;
  self->next_waiter = NULL;
  if (sync->last_waiter) sync->last_waiter->next_waiter = self;
  else sync->first_waiter = self;
  sync->last_waiter = self;
  sync->n_waiters++;
}

void xc_waiter_remove(struct xc_sync *sync, struct xc_fiber *fiber) {
  struct xc_fiber *last = NULL;
  for (struct xc_fiber *one = sync->first_waiter; one; last = one, one = one->next_waiter) {
    if (one != fiber) continue;
    if (last) last->next_waiter = one->next_waiter;
    else sync->first_waiter = one->next_waiter;
    if (sync->last_waiter == one) sync->last_waiter = last;
    sync->n_waiters--;
    one->waits = NULL;
    one->next_waiter = NULL;
    return;
  }
}

struct xc_fiber *xc_waiter_take(struct xc_sync *sync, u32 k) {
  struct xc_fiber *one = sync->first_waiter;
  while (one && k--) one = one->next_waiter;
  if (one) xc_waiter_remove(sync, one);
  return one;
}
