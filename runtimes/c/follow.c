/* Following memory: every load, store and call of a run is told, so that the engine can say what a run did to memory between its decisions.
 *
 * Such a program is instrumented differently (crates/xcute-c/src/instrument/followed.rs): what lives in registers across decisions lies on the stack.
 * A load is a node LOAD, also of what is concrete, so whatever is computed from memory has a handle. XC_SYMBOLIC is still set only in what depends on
 * an input; shadow memory holds what it would hold otherwise.
 *
 * Invariant. Events are in the order in which things happened. What is done to memory without an event was announced by XC_EV_LOST. */
#include "memory.h"

void xc_follow_event(u32 kind, u32 more, u32 site, u32 handle, u32 taken, u64 value) {
  u32 n = XC->n_events;
  if (XC_P->running != XC_YES) return;
  if (XC_UNLIKELY(n >= XC->max_events)) xc_full();
  if (XC_UNLIKELY(XC->full)) return;
  struct xc_event *event = (struct xc_event *)(XC_SHARED + XC->events_at) + n;
  *event = (struct xc_event){(u16)kind, (u16)more, site, handle, taken, value};
  XC->n_events = n + 1;
}

void xc_follow_words(u32 kind, u32 more, u32 handle, u64 value, u64 word) {
  xc_follow_event(kind, more, (u32)word, handle, (u32)(word >> 32), value);
}

u32 xc_follow_load(u64 p, u32 bytes, u32 inner, u64 r) {
  u32 h = xc_node(XC_OP_LOAD, 8 * bytes, inner, (u32)p, (u32)(p >> 32), r);
  xc_follow_event(XC_EV_LOAD, XC_M->addressed, 0, h, 0, 0);
  return h;
}

void xc_follow_store(u64 p, u32 bytes, u32 h, u64 v) {
  u32 told = h ? h : xc_const(8 * bytes, v);
  /* Shadow as it is without following: what depends on no input is concrete. */
  if (!xc_is(h, XC_SYMBOLIC | XC_UNDEFINED)) h = 0;
  if (h || xc_dirty(p, bytes)) xc_store_slow(p, bytes, h);
  xc_follow_words(XC_EV_STORE, bytes, told, p, xc_peek(p, bytes));
}

void xc_follow_equal(u32 h) {
  if (h) xc_follow_event(XC_EV_EQUAL, 0, 0, h, 0, XC_NODES[h].k);
}

void xc_follow_pointer(u32 h, u32 site) {
  if (h) xc_follow_event(XC_EV_EQUAL, 0, site, h, 0, XC_NODES[h].k);
}

enum { MAX_BLOCK = 1 << 16 };

static void touch(u64 at, u64 bytes) {
  for (u64 i = 0; i < bytes; i += 8) {
    u32 n = bytes - i < 8 ? (u32)(bytes - i) : 8;
    xc_follow_words(XC_EV_TOUCH, n, 0, at + i, xc_peek(at + i, n));
  }
}

void xc_follow_copy(u64 to, u64 from, u64 bytes) {
  if (!bytes || !to || !from || to == from) return;
  if (bytes > MAX_BLOCK) {
    xc_follow_lost(XC_UNTOLD_BLOCK, 0);
    return;
  }
  touch(from, bytes);
  touch(to, bytes);
  xc_follow_words(XC_EV_COPY, 0, (u32)bytes, to, from);
}

void xc_follow_fill(u64 to, u32 hbyte, u64 byte, u64 bytes) {
  if (bytes > MAX_BLOCK) {
    xc_follow_lost(XC_UNTOLD_BLOCK, 0);
    return;
  }
  u64 pattern = (byte & 0xff) * 0x0101010101010101ull;
  for (u64 i = 0, n; i < bytes; i += n) {
    n = hbyte ? 1 : bytes - i < 8 ? bytes - i : 8;
    while (n & (n - 1)) n &= n - 1;
    u32 told = hbyte ? hbyte : xc_const(8 * (u32)n, pattern);
    xc_follow_words(XC_EV_STORE, (u32)n, told, to + i, xc_peek(to + i, (u32)n));
  }
}

/* What no input decides about a division, but other contents of memory could. Either operand may be a constant of the program. */
void xc_follow_divisor(u32 width, u32 hb, u32 site) {
  if (!hb || xc_is(hb, XC_SYMBOLIC)) return;
  u32 c = xc_make(XC_OP_NE, width, hb, xc_const(width, 0));
  xc_follow_event(XC_EV_CHECK, 1, site, c, (u32)XC_NODES[c].k, 0);
}

/* A decision that depends on an input is one of the trace: here only that part of the condition which no input can change. */
void xc_follow_quotient(u32 op, u32 width, u32 ha, u32 hb, u64 a, u64 b, u32 site) {
  u64 ones = XC_MASK(width), least = 1ull << (width - 1);
  if ((op != XC_OP_SDIV && op != XC_OP_SREM) || (width != 32 && width != 64)) return;
  if ((!ha && a != least) || (!hb && b != ones)) return;
  u32 fits = 0;
  if (hb && !xc_is(hb, XC_SYMBOLIC)) fits = xc_make(XC_OP_NE, width, hb, xc_const(width, ones));
  if (ha && !xc_is(ha, XC_SYMBOLIC)) {
    u32 other = xc_make(XC_OP_NE, width, ha, xc_const(width, least));
    fits = fits ? xc_make(XC_OP_OR, 1, fits, other) : other;
  }
  if (fits) xc_follow_event(XC_EV_CHECK, 1, site, fits, (u32)XC_NODES[fits].k, 0);
}

void xc_follow_lost(u32 what, u32 index) { xc_follow_event(XC_EV_LOST, 0, index, 0, what, 0); }

/* The hooks' slow paths. */
XC_SLOW u32 xc_followed_load(u64 p, u32 bytes, u32 hp, u64 r) {
  XC_M->addressed = hp != 0;
  u32 h = xc_shadow_get(p, bytes, r);
  XC_M->addressed = 0;
  return h;
}
XC_SLOW u32 xc_followed_load_planned(u64 p, u32 bytes, u64 r) {
  XC_M->addressed = 1;
  u32 h = xc_load_planned(p, bytes, r);
  XC_M->addressed = 0;
  return h;
}
XC_SLOW void xc_followed_store(u64 p, u32 bytes, u32 h, u64 v) { xc_follow_store(p, bytes, h, v); }
XC_SLOW void xc_follow_enter(u64 base, u64 back, u64 self) { xc_follow_event(XC_EV_ENTER, 0, (u32)back, 0, (u32)self, base); }
XC_SLOW void xc_follow_frame(u64 base) { xc_follow_event(XC_EV_FRAME, 0, 0, 0, 0, base); }
XC_SLOW void xc_follow_local(u64 p, u64 size, u32 name) {
  /* Slots of registers are not objects: nothing else takes away what is left of earlier frames. */
  xc_shadow_clear(p, size);
  xc_follow_event(XC_EV_LOCAL, 0, name, (u32)size, 0, p);
}
XC_SLOW void xc_follow_address(u32 h) { xc_follow_equal(h); }
XC_SLOW void xc_follow_byval(u64 at, u64 from, u64 bytes) {
  touch(from, bytes);
  xc_follow_words(XC_EV_COPY, 0, (u32)bytes, at, from);
}
XC_SLOW void xc_follow_untold(u32 what, u32 index) { xc_follow_lost(what, index); }
