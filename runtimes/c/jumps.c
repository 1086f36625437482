/* Jumps that are not branches: longjmp's value, and goto to a computed address.
 *
 * Invariant. XC_P->jump is a handle only between a longjmp and its setjmp. */
#include "memory.h"

/* Which of the labels it is becomes a chain of branches. */
XC_SLOW void xc_goto_slow(u32 h, u64 v, u32 site, const u64 *labels, u32 n) {
  if (XC_UNLIKELY(xc_is(h, XC_UNDEFINED))) xc_fail_uninitialised(h, XC_ADDRESS);
  for (u32 i = 0; i + 1 < n; i++) {
    xc_br_slow(xc_make(XC_OP_EQ, 64, h, xc_const(64, labels[i])), labels[i] == v, site);
    if (labels[i] == v) return;
  }
}

/* setjmp returned r: the value that was handed over, but 1 instead of 0. */
XC_SLOW u32 xc_landing_slow(u64 r) {
  u32 h = XC_P->jump, width = XC_NODES[h].width;
  XC_P->jump = 0;
  u64 value = XC_NODES[h].k;
  if ((value ? value : 1) != (r & XC_MASK(width))) return 0; /* foreign code jumped */
  return xc_ite_slow(width, xc_make(XC_OP_EQ, width, h, xc_const(width, 0)), 0, h, !value, 1, value);
}
