/* Symbolic values that foreign code or a copy needs to be one number.
 *
 * Which number it is becomes a chain of decisions: is it less than 1, 2, 4, 8 …, then a binary search between the last two. So each value is
 * explored as a path of its own, where CUTE [sen-marinov-agha-2006 §4.1.6] keeps the one value of the run.
 *
 * Invariant. The chain depends on the path alone. Values of MOST and above are pinned, and counted as such. */
#include "memory.h"

enum { MOST = 1 << 16 };

static u32 is_below(u32 x, u64 value, u64 bound, u32 site) {
  u32 width = XC_NODES[x].width, c = value < bound;
  xc_br_slow(xc_make(XC_OP_ULT, width, x, xc_const(width, bound)), c, site);
  return c;
}

/* Decides the distance of h from `origin`. */
void xc_choose(u32 site, u32 h, u64 origin) {
  if (!xc_is(h, XC_SYMBOLIC) || !xc_first_pin(h)) {
    if (XC_FOLLOWS) xc_follow_equal(h);
    return;
  }
  u32 width = XC_NODES[h].width;
  if (width > 64) {
    xc_event(XC_EV_PIN, site, h, 1, XC_NODES[h].k);
    xc_told_place((u64)__builtin_frame_address(0));
    return;
  }
  u32 x = origin ? xc_make(XC_OP_SUB, width, h, xc_const(width, origin)) : h;
  u64 value = XC_NODES[x].k, low = 0, high = 1;
  if (width > 16 && !is_below(x, value, MOST, site)) {
    xc_event(XC_EV_PIN, site, h, 1, XC_NODES[h].k);
    xc_told_place((u64)__builtin_frame_address(0));
    return;
  }
  while (high <= XC_MASK(width) && high < MOST && !is_below(x, value, high, site)) {
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    u64 middle = low + (high - low) / 2;
    if (is_below(x, value, middle, site)) high = middle;
    else low = middle;
  }
}
