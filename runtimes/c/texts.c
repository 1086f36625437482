/* Texts that the library reads to their ends: printf's %s, puts and their like.
 *
 * Where the end is may depend on inputs, but only one thing matters: that there is one within the object. So it is one check, that some byte is NUL,
 * and not a decision for each byte.
 *
 * Invariant. A text that ends in every run has no event. */
#include "memory.h"

/* A byte of the text as it is in this run; 0 where it is concrete. */
static u32 byte_at(const struct xc_plan *plan, u64 at, u64 i, u64 value) {
  if (plan->kind != XC_PLAN_ALIAS) return *XC_SHADOW_OF(at) ? xc_load_slow(at, 1, value) : 0;
  XC_M->plan = *plan;
  XC_M->plan.offset = plan->offset + i;
  return xc_load_planned(at, 1, value);
}

static void check(u32 some, u32 site, u32 holds) {
  if (some) xc_event(XC_EV_CHECK, site, some, holds, holds);
}

XC_SLOW void xc_text(const struct xc_access *a, u64 most) {
  XC_M->plan.kind = XC_PLAN_PLAIN;
  if (a->hp) xc_plan(a, 0);
  if (!most) return;
  if (!a->p) xc_fail_check(XC_CHECK_NULL, a->site, 0);
  struct xc_plan plan = XC_M->plan;
  u32 some = 0, ended = 0; /* whether some byte is NUL; whether that is so in this run */
  for (u64 i = 0; i < most; i++) {
    u64 at = a->p + i;
    u32 poison = *XC_SHADOW_OF(at);
    if (XC_UNLIKELY(poison >= XC_POISON) && (ended || !xc_sized_touch(a->p, i + 1, poison))) {
      check(some, a->site, ended);
      if (!ended) xc_fail_access(at, i + 1, XC_READ, 0);
      return;
    }
    u64 value = *(u8 *)at;
    u32 h = byte_at(&plan, at, i, value);
    if (h && xc_is(h, XC_UNDEFINED)) {
      check(some, a->site, ended);
      if (!ended) xc_fail_uninitialised(h, XC_DECIDE);
      return;
    }
    if (!h || !xc_is(h, XC_SYMBOLIC)) {
      if (!value) return;
      continue;
    }
    u32 is_end = xc_make(XC_OP_EQ, 8, h, xc_const(8, 0));
    some = some ? xc_make(XC_OP_OR, 1, some, is_end) : is_end;
    ended |= !value;
  }
}
