/* Which operations can run now, and which of them conflict.
 *
 * Invariant. The same rules as crates/xcute-race/src/object.rs (`enabled`, `accesses`) and operation.rs (`conflict`): the engine predicts what
 * this file decides. */
#include "memory.h"
#include "threads.h"

static int is_memory(u32 op) { return (op >= XC_DO_READ && op <= XC_DO_COMPARE_EXCHANGE) || op == XC_DO_AWAIT || op == XC_DO_PARK; }

static u32 owner(u64 address, u32 kind) {
  const struct xc_sync *sync = xc_sync_find(address, kind);
  return sync ? sync->owner : 0;
}

static u32 count(u64 address, u32 kind) {
  const struct xc_sync *sync = xc_sync_find(address, kind);
  return sync ? sync->count : 0;
}

static int waited(u64 address) {
  const struct xc_sync *sync = xc_sync_find(address, XC_SYNC_CONDITION);
  return sync && sync->n_waiters;
}

static int woken(const struct xc_fiber *fiber) { return !fiber->waits; }

/* Whether the input decides what is there. */
static int is_symbolic(u64 at, u32 bytes) {
  const u32 *shadow = XC_SHADOW_OF(at);
  for (u32 i = 0; i < bytes; i++)
    if (shadow[i] && shadow[i] < XC_BLANK) return 1;
  return 0;
}

void xc_refresh(struct xc_fiber *fiber) {
  struct xc_next *next = &fiber->next;
  const struct xc_sync *sync;
  switch (next->op) {
    case XC_DO_SEM_WAIT: case XC_DO_SEM_TRY_WAIT: case XC_DO_SEM_POST: next->before = count(next->object, XC_SYNC_SEMAPHORE); break;
    case XC_DO_NOTIFY:
      sync = xc_sync_find(next->object, XC_SYNC_CONDITION);
      next->arms = sync && sync->n_waiters ? sync->n_waiters : 1;
      break;
    case XC_DO_AWAIT: next->before = xc_spin_value(fiber); break;
    case XC_DO_COMPARE_EXCHANGE:
      next->flags = (u16)((next->flags & ~XC_UNSURE) | (is_symbolic(next->object, next->bytes) ? XC_UNSURE : 0));
      next->before = xc_peek(next->object, next->bytes < 8 ? next->bytes : 8);
      break;
    default:
      if (is_memory(next->op)) next->before = xc_peek(next->object, next->bytes < 8 ? next->bytes : 8);
  }
}

int xc_enabled(const struct xc_fiber *fiber, const struct xc_next *next) {
  const struct xc_sync *sync;
  switch (next->op) {
    case XC_DO_LOCK: return !owner(next->object, XC_SYNC_MUTEX);
    case XC_DO_SEM_WAIT: return next->before > 0;
    case XC_DO_READ_LOCK: return !owner(next->object, XC_SYNC_RWLOCK);
    case XC_DO_WRITE_LOCK: return !owner(next->object, XC_SYNC_RWLOCK) && !count(next->object, XC_SYNC_RWLOCK);
    case XC_DO_REACQUIRE: return !owner(next->other, XC_SYNC_MUTEX) && (next->flags & XC_ALONE || woken(fiber));
    case XC_DO_PASS:
      sync = xc_sync_find(next->object, XC_SYNC_BARRIER);
      return sync && sync->arrivals >= next->other;
    case XC_DO_JOIN: return XC_FIBERS[next->other].run == XC->run && XC_FIBERS[next->other].state == XC_FIBER_ENDED;
    case XC_DO_AWAIT: return next->before != next->other;
    case XC_DO_RESUME: return next->flags & XC_ALONE || woken(fiber);
    default: return 1;
  }
}

/* The state of an object, the waiters of a condition, whether a task was woken; memory is an object of this many bytes. */
enum { OBJECT, MEMORY, WAITERS, WAKE };
struct access { u32 what, update; u64 at, bytes; };

static u32 accesses(const struct xc_next *next, struct access *out) {
  u64 at = next->object;
  u32 reads = 0;
  switch (next->op) {
    case XC_DO_READ: case XC_DO_LOAD: case XC_DO_AWAIT: *out = (struct access){MEMORY, 0, at, next->bytes}; return 1;
    case XC_DO_WRITE: case XC_DO_STORE: case XC_DO_UPDATE: *out = (struct access){MEMORY, 1, at, next->bytes}; return 1;
    case XC_DO_COMPARE_EXCHANGE: *out = (struct access){MEMORY, next->flags & XC_UNSURE || next->before == next->other, at, next->bytes}; return 1;
    case XC_DO_TRY_LOCK: reads = owner(at, XC_SYNC_MUTEX) != 0; break;
    case XC_DO_SEM_TRY_WAIT: reads = next->before == 0; break;
    case XC_DO_READ_LOCK: case XC_DO_TRY_READ_LOCK: case XC_DO_READ_UNLOCK: case XC_DO_PASS: reads = 1; break;
    case XC_DO_WAIT: case XC_DO_REACQUIRE:
      out[0] = (struct access){OBJECT, 1, next->other, 1};
      out[1] = (struct access){WAITERS, 1, at, 1};
      return next->op == XC_DO_WAIT || (next->flags & XC_ALONE && !woken(&XC_FIBERS[next->task])) ? 2 : 1;
    case XC_DO_NOTIFY: *out = (struct access){WAITERS, waited(at), at, 1}; return 1;
    case XC_DO_NOTIFY_ALL: *out = (struct access){WAITERS, 1, at, 1}; return 1;
    case XC_DO_PARK:
      out[0] = (struct access){MEMORY, 0, at, next->bytes};
      out[1] = (struct access){WAITERS, 1, at, 1};
      return next->before == next->other ? 2 : 1;
    case XC_DO_RESUME:
      out[0] = (struct access){WAKE, 0, next->task, 1};
      out[1] = (struct access){WAITERS, 1, at, 1};
      return next->flags & XC_ALONE && !woken(&XC_FIBERS[next->task]) ? 2 : 1;
    case XC_DO_JOIN: case XC_DO_YIELD: case XC_DO_FENCE: case XC_DO_BEGIN: return 0;
    default: break;
  }
  *out = (struct access){OBJECT, !reads, at, 1};
  return 1;
}

/* Whether `a` notifies, in the given arm or in any (~0), the task of `b`, which waits to be woken. */
static int wakes(const struct xc_next *a, u32 arm, const struct xc_next *b) {
  if ((a->op != XC_DO_NOTIFY && a->op != XC_DO_NOTIFY_ALL) || (b->op != XC_DO_REACQUIRE && b->op != XC_DO_RESUME)) return 0;
  const struct xc_sync *sync = xc_sync_find(a->object, XC_SYNC_CONDITION);
  u32 k = 0;
  for (const struct xc_fiber *one = sync ? sync->first_waiter : 0; one; one = one->next_waiter, k++)
    if (one->task == b->task) return a->op == XC_DO_NOTIFY_ALL || arm == ~0u || arm == k;
  return 0;
}

int xc_conflict(const struct xc_next *a, const struct xc_next *executed, u32 arm) {
  struct access x[2], y[2];
  u32 m = accesses(a, x), n = accesses(executed, y);
  if (a->flags & XC_SECTION) return n > 0; /* nobody knows what the rest of it accesses */
  for (u32 i = 0; i < m; i++)
    for (u32 j = 0; j < n; j++)
      if (x[i].what == y[j].what && (x[i].update || y[j].update) && x[i].at < y[j].at + y[j].bytes && y[j].at < x[i].at + x[i].bytes) return 1;
  return wakes(a, ~0u, executed) || wakes(executed, arm, a);
}
