/* Operations with a time limit, when nobody else can run: then time passes, and they go on.
 *
 * Invariant. An operation that gave up waiting can always run. */
#include "threads.h"

static u32 trying(u32 op) {
  switch (op) {
    case XC_DO_LOCK: return XC_DO_TRY_LOCK;
    case XC_DO_READ_LOCK: return XC_DO_TRY_READ_LOCK;
    case XC_DO_WRITE_LOCK: return XC_DO_TRY_WRITE_LOCK;
    case XC_DO_SEM_WAIT: return XC_DO_SEM_TRY_WAIT;
    case XC_DO_AWAIT: return XC_DO_LOAD;
    case XC_DO_JOIN: return XC_DO_YIELD;
    default: return op;
  }
}

void xc_late(struct xc_next *next) {
  if (next->op == XC_DO_REACQUIRE || next->op == XC_DO_RESUME) next->flags |= XC_ALONE;
  else next->op = (u16)trying(next->op);
  next->flags &= (u16)~XC_LATE;
}

int xc_time_passes(void) {
  int any = 0;
  for (u32 i = 0; i < XC_T->n_order; i++) {
    struct xc_fiber *fiber = &XC_FIBERS[XC_T->order[i]];
    if (fiber->state != XC_FIBER_READY || !(fiber->next.flags & XC_LATE)) continue;
    xc_late(&fiber->next);
    any |= xc_enabled(fiber, &fiber->next);
  }
  return any;
}
