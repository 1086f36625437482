/* Intrinsics that are not one node: each is written with the operators of ops.def.
 *
 * Invariant. The last node made has the native result as its value; values in between are computed by xc_make. */
#include "memory.h"

static u32 constant_like(u32 h, u64 k) { return xc_const(XC_NODES[h].width, k); }
static u32 bit(u32 op, u32 a, u32 b) { return xc_make(op, XC_NODES[a].width, a, b); }
static u32 with(u32 op, u32 a, u64 k) { return bit(op, a, constant_like(a, k)); }

static u32 choose(u32 c, u32 t, u32 f) {
  u32 taken = XC_NODES[c].k ? t : f;
  return xc_node(XC_OP_ITE, XC_NODES[t].width, c, t, f, XC_NODES[taken].k);
}

/* The number of ones, by adding neighbours (Warren, Hacker's Delight, 5-1), for any width up to 64. */
static u32 population(u32 h) {
  static const u64 masks[6] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f, 0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
  u32 width = XC_NODES[h].width;
  for (u32 i = 0; i < 6 && 1u << i < width; i++)
    h = bit(XC_OP_ADD, with(XC_OP_AND, h, masks[i]), with(XC_OP_AND, with(XC_OP_LSHR, h, 1u << i), masks[i]));
  return h;
}

static u32 leading_zeros(u32 h) {
  u32 width = XC_NODES[h].width;
  for (u32 i = 1; i < width; i *= 2) h = bit(XC_OP_OR, h, with(XC_OP_LSHR, h, i));
  return population(with(XC_OP_XOR, h, XC_MASK(width)));
}

static u32 trailing_zeros(u32 h) {
  u32 below = bit(XC_OP_AND, with(XC_OP_XOR, h, XC_MASK(XC_NODES[h].width)), with(XC_OP_SUB, h, 1));
  return population(below);
}

/* Pieces of `step` bits in reverse order. */
static u32 reversed(u32 h, u32 step) {
  u32 width = XC_NODES[h].width, result = 0;
  u64 k = XC_NODES[h].k, value = 0;
  for (u32 low = 0; low < width; low += step) {
    u64 part = k >> low & XC_MASK(step);
    u32 node = xc_node(XC_OP_EXTRACT, step, h, 0, low, part);
    value = value << step | part;
    result = low ? xc_node(XC_OP_CONCAT, low + step, result, node, 0, value) : node;
  }
  return result;
}

static u32 funnel(int left, u32 a, u32 b, u32 amount) {
  u32 width = XC_NODES[a].width;
  u32 n = with(width & (width - 1) ? XC_OP_UREM : XC_OP_AND, amount, width & (width - 1) ? width : width - 1);
  u32 rest = bit(XC_OP_SUB, constant_like(n, width), n); /* shifting by the whole width gives 0 in the wire's operators */
  u32 high = bit(XC_OP_SHL, a, left ? n : rest), low = bit(XC_OP_LSHR, b, left ? rest : n);
  return bit(XC_OP_OR, high, low);
}

static u32 is_negative(u32 h) { return with(XC_OP_SLT, h, 0); }

/* Signed: the result's sign differs from both operands' (add), or the operands differ and the result has the second's (subtract). */
static u32 overflows(u32 kind, u32 a, u32 b, u64 r) {
  u32 width = XC_NODES[a].width, sum;
  switch (kind) {
    case XC_IN_SADD_O:
      sum = bit(XC_OP_ADD, a, b);
      return is_negative(bit(XC_OP_AND, bit(XC_OP_XOR, a, sum), bit(XC_OP_XOR, b, sum)));
    case XC_IN_SSUB_O:
      sum = bit(XC_OP_SUB, a, b);
      return is_negative(bit(XC_OP_AND, bit(XC_OP_XOR, a, b), bit(XC_OP_XOR, a, sum)));
    case XC_IN_UADD_O: return bit(XC_OP_ULT, bit(XC_OP_ADD, a, b), a);
    case XC_IN_USUB_O: return bit(XC_OP_ULT, a, b);
    default: {
      /* The product in twice the width against its own low half, extended. k holds the low 64 bits, which is all that is looked at. */
      u32 extend = kind == XC_IN_SMUL_O ? XC_OP_SEXT : XC_OP_ZEXT, twice = 2 * width;
      u64 ka = XC_NODES[a].k, kb = XC_NODES[b].k;
      if (extend == XC_OP_SEXT && width < 64) {
        ka = (u64)((i64)(ka << (64 - width)) >> (64 - width));
        kb = (u64)((i64)(kb << (64 - width)) >> (64 - width));
      }
      u32 product = xc_node(XC_OP_MUL, twice, xc_node(extend, twice, a, 0, 0, ka), xc_node(extend, twice, b, 0, 0, kb), 0, ka * kb);
      u32 half = xc_node(XC_OP_EXTRACT, width, product, 0, 0, ka * kb);
      u64 kh = ka * kb & XC_MASK(width);
      if (extend == XC_OP_SEXT && width < 64) kh = (u64)((i64)(kh << (64 - width)) >> (64 - width));
      return xc_node(XC_OP_NE, 1, product, xc_node(extend, twice, half, 0, 0, kh), 0, r);
    }
  }
}

static u32 saturated(u32 kind, u32 a, u32 b) {
  u32 width = XC_NODES[a].width;
  u64 least = 1ull << (width - 1), most = least - 1;
  u32 add = kind == XC_IN_SADD_SAT || kind == XC_IN_UADD_SAT;
  u32 result = bit(add ? XC_OP_ADD : XC_OP_SUB, a, b);
  if (kind == XC_IN_UADD_SAT) return choose(overflows(XC_IN_UADD_O, a, b, 0), constant_like(a, XC_MASK(width)), result);
  if (kind == XC_IN_USUB_SAT) return choose(overflows(XC_IN_USUB_O, a, b, 0), constant_like(a, 0), result);
  u32 limit = choose(is_negative(a), constant_like(a, least), constant_like(a, most));
  return choose(overflows(add ? XC_IN_SADD_O : XC_IN_SSUB_O, a, b, 0), limit, result);
}

/* llvm.is.fpclass: b holds the mask of classes. */
static u32 is_class(u32 h, u64 mask, u64 r) {
  u32 width = XC_NODES[h].width, fraction = width == 32 ? 23 : 52, result = xc_const(1, 0);
  u64 sign = 1ull << (width - 1), inf = sign - (1ull << fraction), quiet = inf | 1ull << (fraction - 1), least = 1ull << fraction;
  u32 magnitude = with(XC_OP_AND, h, sign - 1), negative = is_negative(h);
  struct { u64 positive, negative, from, to; } classes[] = {
      {1, 1, inf + 1, quiet - 1}, {2, 2, quiet, sign - 1}, {512, 4, inf, inf}, {256, 8, least, inf - 1}, {128, 16, 1, least - 1}, {64, 32, 0, 0}};
  for (u32 i = 0; i < 6; i++) {
    u32 within = bit(XC_OP_AND, with(XC_OP_UGE, magnitude, classes[i].from), with(XC_OP_ULE, magnitude, classes[i].to));
    u64 both = mask & (classes[i].positive | classes[i].negative);
    if (!both) continue;
    if (both != (classes[i].positive | classes[i].negative))
      within = bit(XC_OP_AND, within, both == classes[i].negative ? negative : with(XC_OP_XOR, negative, 1));
    result = bit(XC_OP_OR, result, within);
  }
  XC_NODES[result].k = r & 1;
  return result;
}

static double float_of(u32 h) {
  u64 k = XC_NODES[h].k;
  float f;
  double d;
  if (XC_NODES[h].width == 64) return __builtin_memcpy(&d, &k, 8), d;
  return __builtin_memcpy(&f, &k, 4), (double)f;
}

/* fmin and fmax as x86 computes them, the sign of zeros included: NaN a gives b, else b if it is beyond a, else a. */
static u32 extreme(u32 kind, u32 a, u32 b, u64 r) {
  double x = float_of(a), y = float_of(b);
  u32 beyond = kind == XC_IN_FMIN ? xc_node(XC_OP_FOLT, 1, b, a, 0, y < x) : xc_node(XC_OP_FOGT, 1, b, a, 0, y > x);
  u32 result = choose(xc_node(XC_OP_FUNO, 1, a, a, 0, x != x), b, choose(beyond, b, a));
  XC_NODES[result].k = r;
  return result;
}

XC_SLOW u32 xc_intrinsic_slow(u32 code, u32 ha, u32 hb, u32 hc, const u64 *values, u64 r) {
  u32 kind = XC_CODE_OP(code), width = XC_CODE_WIDTH(code);
  if (kind == XC_IN_IS_FPCLASS) return is_class(ha, values[1], r);
  u32 a = ha ? ha : xc_const(width, values[0]), b = hb ? hb : xc_const(width, values[1]);
  switch (kind) {
    case XC_IN_FMIN: case XC_IN_FMAX: return extreme(kind, a, b, r);
    case XC_IN_SMAX: return choose(bit(XC_OP_SGE, a, b), a, b);
    case XC_IN_SMIN: return choose(bit(XC_OP_SLE, a, b), a, b);
    case XC_IN_UMAX: return choose(bit(XC_OP_UGE, a, b), a, b);
    case XC_IN_UMIN: return choose(bit(XC_OP_ULE, a, b), a, b);
    case XC_IN_ABS: return choose(is_negative(a), bit(XC_OP_SUB, constant_like(a, 0), a), a);
    case XC_IN_CTPOP: return population(a);
    case XC_IN_CTLZ: return leading_zeros(a);
    case XC_IN_CTTZ: return trailing_zeros(a);
    case XC_IN_BSWAP: return reversed(a, 8);
    case XC_IN_BITREVERSE: return reversed(a, 1);
    case XC_IN_FSHL:
    case XC_IN_FSHR: return funnel(kind == XC_IN_FSHL, a, b, hc ? hc : xc_const(width, values[2]));
    case XC_IN_SADD_SAT: case XC_IN_UADD_SAT: case XC_IN_SSUB_SAT: case XC_IN_USUB_SAT: return saturated(kind, a, b);
    default: return overflows(kind, a, b, r);
  }
}
