/* Nodes and events: the slow paths of hooks, where something symbolic is really computed.
 *
 * When a table is full, the run goes on without a record: what is computed from then on is concrete, and nothing more is told. Whether it ever ends is
 * for its steps to say. The record of what came before is a beginning of the run like any other.
 *
 * Invariant. k of every node is the value that the native program computed; nodes that only the runtime invents compute theirs here. */
#include "memory.h"

static u8 flags_of(u32 op, u32 a, u32 b, u32 c) {
  const struct xc_node *nodes = XC_NODES;
  switch (op) {
    case XC_OP_CONST: return 0;
    case XC_OP_VAR: return XC_SYMBOLIC;
    case XC_OP_UNDEF: return XC_UNDEFINED;
    case XC_OP_LOAD:
    case XC_OP_EXTRACT: return nodes[a].flags;
    case XC_OP_TABLE: return nodes[a].flags | (u8)((const struct xc_aux *)(XC_SHARED + XC->aux_at))[b].flags;
    default: return nodes[a].flags | nodes[b].flags | nodes[c].flags; /* node 0 has none */
  }
}

void xc_full(void) { XC->full = 1; }

u32 xc_node(u32 op, u32 width, u32 a, u32 b, u32 c, u64 k) {
  u32 n = XC->n_nodes;
  if (XC_UNLIKELY(n >= XC->max_nodes || n >= XC_BLANK >> 3)) xc_full();
  if (XC_UNLIKELY(XC->full)) return 0;
  XC->n_nodes = n + 1;
  struct xc_node *node = &XC_NODES[n];
  node->op = (u16)op;
  node->width = (u16)width;
  node->a = a;
  node->b = b;
  node->c = c;
  node->k = k & XC_MASK(width);
  node->flags = flags_of(op, a, b, c);
  if (XC_UNLIKELY(node->flags & XC_UNDEFINED)) xc_undefined(n);
  return n;
}

u32 xc_const(u32 width, u64 k) { return xc_node(XC_OP_CONST, width, 0, 0, 0, k); }

/* The first nodes are the uninitialised values of locals that are not memory; uninitialised.rs knows their numbers. */
void xc_nodes_reset(void) {
  static const u8 widths[] = {1, 8, 16, 32, 64};
  u32 op = XC->flags & XC_FLAG_INITIALISED ? XC_OP_CONST : XC_OP_UNDEF;
  for (u32 i = 0; i < sizeof widths; i++) xc_node(op, widths[i], 0, 0, 0, 0);
}

void xc_event(u32 kind, u32 site, u32 handle, u32 taken, u64 value) {
  u32 n = XC->n_events;
  if (XC_UNLIKELY(XC->concurrent)) xc_ahead_stop(); /* an input decides */
  if (kind <= XC_EV_PIN && XC_UNLIKELY(XC->n_decisions++ >= XC->max_decisions)) return;
  if (XC_UNLIKELY(n >= XC->max_events)) xc_full();
  if (XC_UNLIKELY(XC->full)) return;
  struct xc_event *event = (struct xc_event *)(XC_SHARED + XC->events_at) + n;
  event->kind = (u16)kind;
  event->more = 0;
  event->site = site;
  event->handle = handle;
  event->taken = taken;
  event->value = value;
  XC->n_events = n + 1;
}

/* A decision that no input decides: told only if all memory is. */
static void follow(u32 kind, u32 site, u32 h, u32 taken, u64 value) {
  if (XC_FOLLOWS) xc_follow_event(kind, 1, site, h, taken, value);
}

XC_SLOW void xc_seen(u32 kind, u32 index) {
  u32 *seen = &XC_SEEN[(kind & 0xff) << 20 | (index & 0xfffff)];
  if (*seen == XC->run) return;
  *seen = XC->run;
  xc_event(kind, index, 0, 0, 0);
  if (kind == XC_EV_FOREIGN) xc_told_place((u64)__builtin_frame_address(0));
}

XC_SLOW void xc_value_seen(u32 kind, u32 h, u32 index) {
  if (xc_is(h, XC_SYMBOLIC)) xc_seen(kind, index);
}

void xc_told_place(u64 frame) {
  enum { MOST = 12, AT_ONCE = 4 };
  if (XC_UNLIKELY(XC->full)) return; /* the last event is another one */
  u32 found[MOST], n = xc_frames(found, MOST, frame);
  for (u32 i = n; i < MOST; i++) found[i] = 0;
  for (u32 i = 0; i < n; i += AT_ONCE) {
    xc_event(XC_EV_PLACE, 0, found[i + 2], found[i + 3], found[i] | (u64)found[i + 1] << 32);
    if (XC_UNLIKELY(XC->full)) return;
    ((struct xc_event *)(XC_SHARED + XC->events_at))[XC->n_events - 1].more = i + AT_ONCE < n;
  }
}

void xc_unsupported(u32 index) { xc_seen(XC_EV_UNSUPPORTED, index); }

int xc_first_pin(u32 handle) {
  u32 slot = handle % XC_PINS;
  if (XC_M->pinned[slot].run == XC->run && XC_M->pinned[slot].handle == handle) return 0;
  XC_M->pinned[slot].run = XC->run;
  XC_M->pinned[slot].handle = handle;
  return 1;
}

void xc_pin(u32 site, u32 handle) {
  if (!xc_is(handle, XC_SYMBOLIC) || !xc_first_pin(handle)) {
    if (XC_FOLLOWS) xc_follow_equal(handle);
    return;
  }
  xc_event(XC_EV_PIN, site, handle, 1, XC_NODES[handle].k);
  xc_told_place((u64)__builtin_frame_address(0));
}

static int is_comparison(u32 op) { return (op >= XC_OP_EQ && op <= XC_OP_SGE) || (op >= XC_OP_FOEQ && op <= XC_OP_FUNE); }

static i64 signed_of(u32 width, u64 v) { return width >= 64 ? (i64)v : (i64)(v << (64 - width)) >> (64 - width); }

/* The value of an integer operation of at most 64 bits; divisors are not zero. Shifts by the width or more give what the masked
 * amount gives, as on x86 for 32 and 64 bits. */
static u64 value_of(u32 op, u32 width, u64 a, u64 b) {
  i64 sa = signed_of(width, a), sb = signed_of(width, b);
  u64 m = XC_MASK(width);
  switch (op) {
    case XC_OP_ADD: return (a + b) & m;
    case XC_OP_SUB: return (a - b) & m;
    case XC_OP_MUL: return (a * b) & m;
    case XC_OP_SHL: return b >= width ? 0 : (a << b) & m;
    case XC_OP_LSHR: return b >= width ? 0 : a >> b;
    case XC_OP_ASHR: return (u64)(sa >> (b >= width ? width - 1 : b)) & m;
    case XC_OP_AND: return a & b;
    case XC_OP_OR: return a | b;
    case XC_OP_XOR: return a ^ b;
    case XC_OP_EQ: return a == b;
    case XC_OP_NE: return a != b;
    case XC_OP_ULT: return a < b;
    case XC_OP_ULE: return a <= b;
    case XC_OP_UGT: return a > b;
    case XC_OP_UGE: return a >= b;
    case XC_OP_SLT: return sa < sb;
    case XC_OP_SLE: return sa <= sb;
    case XC_OP_SGT: return sa > sb;
    case XC_OP_SGE: return sa >= sb;
    case XC_OP_UREM: return a % b;
    default: __builtin_trap(); /* xc_make is called with the operators above only */
  }
}

u32 xc_make(u32 op, u32 width, u32 a, u32 b) {
  if (XC_UNLIKELY(XC->full)) return 0;
  u64 k = value_of(op, width, XC_NODES[a].k, XC_NODES[b].k);
  return xc_node(op, is_comparison(op) ? 1 : width, a, b, 0, k);
}

/* x + c1 + c2 becomes x + (c1 + c2): pointers that walk do not grow chains. */
static u32 add_constant(u32 width, u32 h, u64 constant, u64 r) {
  struct xc_node *x = &XC_NODES[h];
  if (x->op == XC_OP_ADD && XC_NODES[x->b].op == XC_OP_CONST) {
    constant += XC_NODES[x->b].k;
    h = x->a;
  }
  if (!(constant & XC_MASK(width))) return h;
  return xc_node(XC_OP_ADD, width, h, xc_const(width, constant), 0, r);
}

/* Whether two values are the same one, each with a constant added. */
static int same_base(u32 ha, u32 hb) {
  if (XC_FOLLOWS) {
    u32 base = xc_origin(ha);
    return xc_is(base, XC_SYMBOLIC) && base == xc_origin(hb) && !(XC_NODES[base].flags & XC_UNDEFINED);
  }
  struct xc_node *a = &XC_NODES[ha], *b = &XC_NODES[hb];
  if (a->op == XC_OP_ADD && XC_NODES[a->b].op == XC_OP_CONST) ha = a->a;
  if (b->op == XC_OP_ADD && XC_NODES[b->b].op == XC_OP_CONST) hb = b->a;
  return ha == hb && !(XC_NODES[ha].flags & XC_UNDEFINED);
}

XC_SLOW u32 xc_bin_slow(u32 code, u32 ha, u32 hb, u64 a, u64 b, u64 r) {
  u32 op = XC_CODE_OP(code), width = XC_CODE_WIDTH(code);
  /* How far apart two pointers into one object are does not depend on where it is: `end - begin` is a number like any other. */
  u32 apart = ha && hb && (op == XC_OP_SUB || op == XC_OP_EQ || op == XC_OP_NE) && same_base(ha, hb);
  if (apart && !XC_FOLLOWS) return 0;
  if (op == XC_OP_ADD && !hb) return add_constant(width, ha, b, r);
  if (op == XC_OP_ADD && !ha) return add_constant(width, hb, a, r);
  if (op == XC_OP_SUB && !hb) return add_constant(width, ha, -b, r);
  if (op >= XC_OP_SHL && op <= XC_OP_ASHR) {
    /* Poison in LLVM, the masked amount on x86: so that the node agrees with the run, the amount is what the machine uses. */
    u32 natural = width == 32 || width == 64;
    if (!hb && b >= width) b = natural ? b & (width - 1) : 0;
    if (hb && natural) hb = xc_node(XC_OP_AND, width, hb, xc_const(width, width - 1), 0, b & (width - 1));
  }
  if (!ha) ha = xc_const(width, a);
  if (!hb) hb = xc_const(width, b);
  u32 h = xc_node(op, is_comparison(op) ? 1 : width, ha, hb, 0, r);
  /* Other contents of memory may change it, no input can. */
  if (apart) XC_NODES[h].flags &= (u8)~XC_SYMBOLIC;
  return h;
}

XC_SLOW u32 xc_un_slow(u32 code, u32 h, u64 r) { return xc_node(XC_CODE_OP(code), XC_CODE_WIDTH(code), h, 0, 0, r); }

XC_SLOW u32 xc_fma_slow(u32 code, u32 ha, u32 hb, u32 hc, u64 a, u64 b, u64 c, u64 r) {
  u32 width = XC_CODE_WIDTH(code);
  if (!ha) ha = xc_const(width, a);
  if (!hb) hb = xc_const(width, b);
  if (!hc) hc = xc_const(width, c);
  return xc_node(XC_OP_FMA, width, ha, hb, hc, r);
}

XC_SLOW u32 xc_cast_slow(u32 op, u32 width, u32 h, u64 r) { return xc_node(op, width, h, 0, 0, r); }

XC_SLOW u32 xc_ite_slow(u32 width, u32 hc, u32 ht, u32 hf, u64 c, u64 t, u64 f) {
  if (!hc) return c ? ht : hf;
  if (ht == hf && ht) return ht;
  if (!ht && !hf && t == f) return 0;
  if (!ht) ht = xc_const(width, t);
  if (!hf) hf = xc_const(width, f);
  return xc_node(XC_OP_ITE, width, hc, ht, hf, c ? t : f);
}

XC_SLOW u32 xc_gep_slow(u32 hbase, u32 hindex, u64 base, u64 index, u64 scale) {
  u64 offset = index * scale;
  if (!hindex) return add_constant(64, hbase, offset, base + offset);
  u32 h = scale == 1 ? hindex : xc_node(XC_OP_MUL, 64, hindex, xc_const(64, scale), 0, offset);
  if (!hbase) return add_constant(64, h, base, base + offset);
  return xc_node(XC_OP_ADD, 64, hbase, h, 0, base + offset);
}

XC_SLOW u32 xc_wide(u32 h, u32 width, u64 low, u64 high) {
  if (h) return h;
  return xc_node(XC_OP_CONCAT, width, xc_const(width - 64, high), xc_const(64, low), 0, low);
}

XC_SLOW u32 xc_wide_slow(u32 code, u32 ha, u32 hb, const u64 *values, u64 r) {
  u32 op = XC_CODE_OP(code), width = XC_CODE_WIDTH(code);
  ha = xc_wide(ha, width, values[0], values[1]);
  hb = xc_wide(hb, width, values[2], values[3]);
  return xc_node(op, is_comparison(op) ? 1 : width, ha, hb, 0, r);
}

XC_SLOW u32 xc_concat_slow(u32 hlow, u64 low, u32 lowbits, u32 hhigh, u64 high, u32 highbits) {
  if (!hlow) hlow = xc_const(lowbits, low);
  if (!hhigh) hhigh = xc_const(highbits, high);
  return xc_node(XC_OP_CONCAT, lowbits + highbits, hhigh, hlow, 0, high << lowbits | low);
}

XC_SLOW void xc_br_slow(u32 h, u32 c, u32 site) {
  if (XC_UNLIKELY(xc_is(h, XC_UNDEFINED))) xc_fail_uninitialised(h, XC_DECIDE);
  if (xc_is(h, XC_SYMBOLIC)) xc_event(XC_EV_BRANCH, site, h, c, c);
  else follow(XC_EV_BRANCH, site, h, c, c);
}

XC_SLOW void xc_sw_slow(u32 h, u64 v, u32 site) {
  if (XC_UNLIKELY(xc_is(h, XC_UNDEFINED))) xc_fail_uninitialised(h, XC_DECIDE);
  if (xc_is(h, XC_SYMBOLIC)) xc_event(XC_EV_SWITCH, site, h, 0, v);
  else follow(XC_EV_SWITCH, site, h, 0, v);
}

/* An assumption (XC_EV_ASSUME) or a check (XC_EV_CHECK) of an int that must not be zero. */
XC_SLOW void xc_holds_slow(u32 kind, u32 h, u32 c, u32 site) {
  if (XC_NODES[h].width != 1) h = xc_make(XC_OP_NE, XC_NODES[h].width, h, xc_const(XC_NODES[h].width, 0));
  if (XC_UNLIKELY(xc_is(h, XC_UNDEFINED))) xc_fail_uninitialised(h, XC_DECIDE);
  if (xc_is(h, XC_SYMBOLIC)) xc_event(kind, site, h, c != 0, c != 0);
  else follow(kind, site, h, c != 0, c != 0);
}

/* Division: the divisor is not zero, and the quotient fits. The smallest value divided by -1 traps at 32 and 64 bits only. */
XC_SLOW void xc_div_slow(u32 code, u32 ha, u32 hb, u64 a, u64 b, u32 site) {
  u32 op = XC_CODE_OP(code), width = XC_CODE_WIDTH(code);
  u64 ones = XC_MASK(width), least = 1ull << (width - 1);
  u32 wholea = ha, wholeb = hb;
  if (XC_FOLLOWS) xc_follow_divisor(width, hb, site);
  if (!xc_is(ha, XC_SYMBOLIC)) ha = 0;
  if (!xc_is(hb, XC_SYMBOLIC)) hb = 0;
  if (hb) {
    xc_event(XC_EV_CHECK, site, xc_make(XC_OP_NE, width, hb, xc_const(width, 0)), b != 0, b != 0);
  }
  if (!b) xc_fail_check(XC_CHECK_DIVISION, site, 0);
  if (XC_FOLLOWS) xc_follow_quotient(op, width, wholea, wholeb, a, b, site);
  if ((op != XC_OP_SDIV && op != XC_OP_SREM) || (width != 32 && width != 64)) return;
  u32 fits = 0;
  if (hb && (ha || a == least)) fits = xc_make(XC_OP_NE, width, hb, xc_const(width, ones));
  if (ha && (hb || b == ones)) {
    u32 other = xc_make(XC_OP_NE, width, ha, xc_const(width, least));
    fits = fits ? xc_make(XC_OP_OR, 1, fits, other) : other;
  }
  u32 holds = a != least || b != ones;
  if (fits) xc_event(XC_EV_CHECK, site, fits, holds, holds);
  if (!holds) xc_fail_check(XC_CHECK_DIV_OVERFLOW, site, 0);
}
