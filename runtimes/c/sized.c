/* Objects whose size is symbolic: malloc(n), and the arrays of `--array p=n`.
 *
 * In a run the object has one size, but the path does not depend on it: what is recorded is that the object is as large as its accesses need.
 * The end of the furthest access so far is kept, so only an access beyond it is a decision. Bytes of heap objects that no access has reached yet
 * are poisoned (XC_POISON_SIZE), which brings the first access to each of them here; input objects are looked at when an access is planned.
 *
 * Invariant. Heap objects of symbolic size lie in slots of one size, so that later addresses do not depend on theirs. */
#include <stddef.h>
#include "memory.h"

enum { MOST = 1 << 16, SLOT = XC_SLOT };

/* No machine has so much memory: malloc gives NULL, here and everywhere. */
#define NEVER (1ull << 47)

static u32 count(void) { return XC_M->sized_run == XC->run ? XC_M->n_sized : 0; }

void xc_sized_add(u64 key, u32 size, u32 site) {
  u32 n = count();
  if (n == MOST) return;
  /* The first byte of malloc(0) may be used everywhere, and no sanitizer says anything. */
  XC_SIZED[n] = (struct xc_sized){key, key >= XC_HEAP, size, site};
  XC_M->sized_run = XC->run;
  XC_M->n_sized = n + 1;
}

struct xc_sized *xc_sized_of(u64 key) {
  for (u32 i = count(); i-- > 0;) {
    if (XC_SIZED[i].key == key && XC_SIZED[i].size) return &XC_SIZED[i];
  }
  return NULL;
}

u64 xc_sized_now(const struct xc_sized *s) { return XC_NODES[s->size].k; }

int xc_sized_holds(struct xc_sized *s, u64 end, u32 site) {
  if (end <= s->proven) return 1;
  u32 c = xc_make(XC_OP_UGE, 64, s->size, xc_const(64, end)), holds = (u32)XC_NODES[c].k;
  xc_event(XC_EV_CHECK, site, c, holds, holds);
  if (holds) s->proven = end;
  return (int)holds;
}

u32 xc_sized_within(const struct xc_sized *s, u32 offset, u32 bytes) {
  u32 fits = xc_make(XC_OP_UGE, 64, s->size, xc_const(64, bytes));
  u32 last = xc_make(XC_OP_SUB, 64, s->size, xc_const(64, bytes));
  return xc_make(XC_OP_AND, 1, fits, xc_make(XC_OP_ULE, 64, offset, last));
}

/* The bytes are there: what is poisoned only for their size is as it would be without. */
static void reveal(u64 at, u64 bytes) {
  for (u64 i = 0; i < bytes; i++) {
    u32 *shadow = XC_SHADOW_OF(at + i);
    if (*shadow == (XC_POISON | XC_POISON_SIZE)) *shadow = 0;
    if (*shadow == (XC_POISON | XC_POISON_SIZE_BLANK)) *shadow = XC_BLANK | ((at + i) & 7);
  }
}

/* An access to poison: it may be one to a byte that no access has reached yet. */
int xc_sized_touch(u64 p, u64 bytes, u32 poison) {
  struct xc_object object;
  u32 kind = poison & 0xff;
  if (!count() || kind == XC_POISON_FREED || kind == XC_POISON_LEFT || !xc_object_near(p, &object) || object.kind != XC_OBJ_HEAP) return 0;
  struct xc_sized *s = xc_sized_of(object.base);
  if (!s || p < object.base) return 0;
  u64 from = s->proven, end = p + bytes - object.base;
  if (end <= from || !xc_sized_holds(s, end, s->site)) return 0;
  reveal(object.base + from, end - from);
  return 1;
}

void xc_sized_choose(u64 key) {
  struct xc_sized *s = key >= XC_HEAP ? xc_sized_of(key) : NULL;
  if (!s) return;
  u64 now = xc_sized_now(s);
  xc_choose(s->site, s->size, 0);
  s->size = 0;
  if (now > s->proven) reveal(key + s->proven, now - s->proven);
}

static u32 branch(u32 op, u32 h, u64 bound, u32 site) {
  u32 c = xc_make(op, 64, h, xc_const(64, bound)), holds = (u32)XC_NODES[c].k;
  xc_br_slow(c, holds, site);
  return holds;
}

void xc_sized_nothing(void) {
  u32 h = XC_P->size_handle;
  if (h && branch(XC_OP_EQ, h, 0, XC_P->size_site)) XC_P->size_handle = 0;
}

void xc_sized_resize(u64 old) {
  u32 h = XC_P->size_handle;
  if (!h || branch(XC_OP_UGE, h, old, XC_P->size_site)) return;
  xc_choose(XC_P->size_site, h, 0);
  XC_P->size_handle = 0;
}

XC_SLOW void xc_size_slow(u32 ha, u64 a, u32 hb, u64 b, u32 site) {
  /* What an input decides is decided below, or the object's size is symbolic. */
  if (XC_FOLLOWS && !xc_is(ha, XC_SYMBOLIC)) xc_follow_equal(ha);
  if (XC_FOLLOWS && !xc_is(hb, XC_SYMBOLIC)) xc_follow_equal(hb);
  u32 first = xc_is(ha, XC_SYMBOLIC), h = first ? ha : hb;
  u64 scale = first ? b : a;
  XC_P->size_handle = 0;
  if (first) xc_choose(site, hb, 0);
  if (!scale || !xc_is(h, XC_SYMBOLIC)) return;
  if (XC_NODES[h].width != 64) {
    xc_pin(site, h);
    return;
  }
  if (branch(XC_OP_ULE, h, SLOT / scale, site)) {
    XC_P->size_handle = scale == 1 ? h : xc_make(XC_OP_MUL, 64, h, xc_const(64, scale));
    XC_P->size_site = site;
  } else if (!branch(XC_OP_UGT, h, NEVER / scale, site)) {
    xc_pin(site, h);
  }
}

XC_SLOW void xc_bound_slow(u32 hp, u32 hbytes) {
  if (hp && xc_is(hbytes, XC_SYMBOLIC) && XC_NODES[xc_inner(hp)].op == XC_OP_VAR && XC_NODES[hbytes].width == 64) {
    if (XC_FOLLOWS) xc_follow_lost(XC_UNTOLD_SIZE, 0);
    xc_sized_add(xc_variable(hp), hbytes, 0);
  }
}

/* The harness says how large an input object is; the hook of the call does the work. */
void __xcute_bound(const void *object, u64 bytes) { (void)object, (void)bytes; }
