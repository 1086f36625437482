/* Uninitialised values: where they are, which bits of a value are uninitialised, and the failure where one decides something.
 *
 * Fresh memory is blank: its shadow says so, byte by byte. A load gives a node UNDEF with what happened to be there; operations carry it on, bit
 * by bit, with the rules of memcheck (Seward and Nethercote 2005), so copying, masking and putting bit-fields together are not failures. Only a
 * branch, a switch, an address or a call that depends on an uninitialised bit is.
 *
 * Invariant. XC_UNDEFINED is set in a node's flags if and only if some of its bits in XC_UNDEFINED_BITS are; nodes of more than 64 bits count as
 * initialised. For the engine an UNDEF node is a constant. */
#include "memory.h"

void xc_blank(u64 at, u64 bytes) {
  if (XC_FOLLOWS) xc_follow_event(XC_EV_BLANK, 0, 0, (u32)bytes, 0, at);
  u32 *shadow = XC_SHADOW_OF(at);
  if (XC->flags & XC_FLAG_INITIALISED) {
    xc_shadow_clear(at, bytes);
    return;
  }
  if (bytes > XC_MARKED) {
    xc_shadow_clear(at + XC_MARKED, bytes - XC_MARKED);
    bytes = XC_MARKED;
  }
  xc_mark(at, bytes);
  for (u64 i = 0; i < bytes; i++) shadow[i] = XC_BLANK | ((at + i) & 7);
}

void xc_forget(u64 at, u64 bytes) {
  u32 *shadow = XC_SHADOW_OF(at);
  if (!xc_dirty(at, bytes)) return;
  for (u64 i = 0; i < bytes; i++)
    if (shadow[i] >= XC_BLANK) shadow[i] = 0;
}

u32 xc_undefined_node(u64 at, u32 bytes, u64 value) { return xc_node(XC_OP_UNDEF, 8 * bytes, 0, (u32)at, (u32)(at >> 32), value); }

static u64 bits_of(u32 h) { return XC_NODES[h].flags & XC_UNDEFINED && h < XC_MASKED_NODES ? XC_UNDEFINED_BITS[h] : 0; }

/* All bits from the lowest undefined one upwards: carries. */
static u64 smeared(u64 m) { return m | (0 - m); }

static u64 extended(u64 m, u32 width) { return width < 64 && m >> (width - 1) & 1 ? m | ~XC_MASK(width) : m; }

/* Whether a comparison can come out differently: with the undefined bits as small and as large as they can be. */
static u64 order(const struct xc_node *node, u64 ma, u64 mb) {
  const struct xc_node *a = &XC_NODES[node->a], *b = &XC_NODES[node->b];
  u64 sign = node->op >= XC_OP_SLT ? 1ull << (a->width - 1) : 0, ka = a->k ^ sign, kb = b->k ^ sign;
  u64 low_a = ka & ~ma, high_a = ka | ma, low_b = kb & ~mb, high_b = kb | mb;
  switch (node->op) {
    case XC_OP_ULT: case XC_OP_SLT: case XC_OP_UGE: case XC_OP_SGE: return (low_a < high_b) != (high_a < low_b);
    default: return (low_a <= high_b) != (high_a <= low_b);
  }
}

static u64 shifted(const struct xc_node *node, u64 ma, u64 mb) {
  u64 by = XC_NODES[node->b].k;
  if (mb) return ~0ull;
  if (node->op == XC_OP_ASHR) return (u64)((i64)extended(ma, node->width) >> (by >= node->width ? node->width - 1u : by));
  if (by >= node->width) return 0;
  return node->op == XC_OP_SHL ? ma << by : ma >> by;
}

/* The element that the table gives, if it is known which. */
static u64 element(const struct xc_node *node, u64 ma) {
  const struct xc_aux *aux = (const struct xc_aux *)(XC_SHARED + XC->aux_at) + node->b;
  u64 i = (XC_NODES[node->a].k - aux->value) / (node->width / 8);
  return ma || i >= node->c ? ~0ull : bits_of(aux[1 + i].handle);
}

/* The undefined bits of a node, from those of its operands. */
static u64 undefined_bits(const struct xc_node *node) {
  if (node->op == XC_OP_UNDEF) return ~0ull;
  if (node->op == XC_OP_LOAD) return bits_of(node->a);
  if (node->op == XC_OP_EXTRACT) return XC_NODES[node->a].width > 64 ? 0 : bits_of(node->a) >> node->c;
  u64 ma = bits_of(node->a);
  if (node->op == XC_OP_TABLE) return element(node, ma);
  u64 mb = bits_of(node->b), ka = XC_NODES[node->a].k, kb = XC_NODES[node->b].k, any = ma | mb;
  switch (node->op) {
    case XC_OP_NOT: case XC_OP_XOR: case XC_OP_ZEXT: return any;
    case XC_OP_SEXT: return extended(ma, XC_NODES[node->a].width);
    case XC_OP_AND: return any & (ma | ka) & (mb | kb);
    case XC_OP_OR: return any & (ma | ~ka) & (mb | ~kb);
    case XC_OP_ADD: case XC_OP_SUB: case XC_OP_MUL: case XC_OP_NEG: return smeared(any);
    case XC_OP_SHL: case XC_OP_LSHR: case XC_OP_ASHR: return shifted(node, ma, mb);
    case XC_OP_EQ: case XC_OP_NE: return (ka ^ kb) & ~any ? 0 : any != 0;
    case XC_OP_ULT: case XC_OP_ULE: case XC_OP_UGT: case XC_OP_UGE:
    case XC_OP_SLT: case XC_OP_SLE: case XC_OP_SGT: case XC_OP_SGE: return order(node, ma, mb);
    case XC_OP_CONCAT: return XC_NODES[node->b].width < 64 ? ma << XC_NODES[node->b].width | mb : mb;
    case XC_OP_ITE: {
      u64 mc = bits_of(node->c);
      if (ma) return (kb ^ XC_NODES[node->c].k) | mb | mc;
      return ka ? mb : mc;
    }
    default: return any | bits_of(node->op == XC_OP_FMA ? node->c : 0) ? ~0ull : 0;
  }
}

XC_COLD void xc_undefined(u32 h) {
  struct xc_node *node = &XC_NODES[h];
  u64 bits = node->width > 64 || h >= XC_MASKED_NODES ? 0 : undefined_bits(node) & XC_MASK(node->width);
  if (h < XC_MASKED_NODES) XC_UNDEFINED_BITS[h] = bits;
  if (bits) return;
  node->flags &= (u8)~XC_UNDEFINED;
  if (node->flags || node->width > 64 || XC_FOLLOWS) return;
  node->op = XC_OP_CONST;
  node->a = node->b = node->c = 0;
}

/* One of the loads that the value's undefined bits come from; 0: a local that is not memory. */
static u64 source(u32 h) {
  for (u32 i = 0; i < 1000; i++) {
    const struct xc_node *node = &XC_NODES[h];
    if (node->op == XC_OP_UNDEF) return node->b | (u64)node->c << 32;
    u32 operands[3] = {node->a, node->op == XC_OP_EXTRACT || node->op == XC_OP_TABLE || node->op == XC_OP_LOAD ? 0 : node->b, node->op == XC_OP_ITE || node->op == XC_OP_FMA ? node->c : 0};
    u32 next = 0;
    for (u32 k = 0; k < 3 && !next; k++)
      if (bits_of(operands[k])) next = operands[k];
    if (!next) return 0;
    h = next;
  }
  return 0;
}

XC_COLD _Noreturn void xc_fail_uninitialised(u32 h, u32 access) {
  u64 at = source(h);
  xc_fail_access(at, 0, access, XC_CHECK_UNINITIALISED);
}
