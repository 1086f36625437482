/* Shadow memory: for each byte of memory, of which node it is which byte.
 *
 * shadow[addr] = handle << 3 | byte of the value, little endian; 0 = concrete. A value that is stored and loaded whole comes back as the
 * same handle; other loads are put together with EXTRACT and CONCAT.
 *
 * Values of at least XC_POISON are not handles: that byte must not be accessed (poison.c).
 *
 * Invariant. A page of shadow that is not all zero has its bit in XC_DIRTY_BITS; if it was written in this run it is listed in
 * XC_DIRTY_PAGES. What a load gives agrees with what memory holds: a byte whose node says otherwise was overwritten by foreign code, and is
 * concrete from then on. */
#include "memory.h"
#include <sys/mman.h>

enum { PAGE_ENTRIES = 1024 }; /* entries of shadow on one page of 4 KiB */

static u64 page_of(u64 addr) { return (addr & XC_LOW) / PAGE_ENTRIES; }

static void mark_page(u64 page) {
  u64 *word = &XC_LISTED_BITS[page / 64], bit = 1ull << (page % 64);
  if (XC_LIKELY(*word & bit)) return;
  *word |= bit;
  XC_DIRTY_BITS[page / 64] |= bit;
  XC_DIRTY_PAGES[XC_M->n_dirty++] = (u32)page;
}

void xc_mark(u64 at, u64 bytes) {
  if (!bytes) return;
  for (u64 page = page_of(at), last = page_of(at + bytes - 1); page <= last; page++) mark_page(page);
}

int xc_dirty(u64 at, u64 bytes) {
  if (!bytes) return 0;
  for (u64 page = page_of(at), last = page_of(at + bytes - 1); page <= last; page++)
    if (XC_DIRTY_BITS[page / 64] >> (page % 64) & 1) return 1;
  return 0;
}

void xc_memory_reset(void) {
  for (u32 i = 0; i < XC_M->n_dirty; i++) {
    u64 page = XC_DIRTY_PAGES[i];
    void *shadow = (void *)(XC_SHADOW + page * PAGE_ENTRIES * 4);
    /* The first pages are used again in the next run: keep them. */
    if (i < 256) __builtin_memset(shadow, 0, PAGE_ENTRIES * 4);
    else madvise(shadow, PAGE_ENTRIES * 4, MADV_DONTNEED);
    XC_DIRTY_BITS[page / 64] &= ~(1ull << (page % 64));
    XC_LISTED_BITS[page / 64] = 0;
  }
  u32 n = XC_M->n_dirty;
  /* The zones of globals are there in every run. */
  for (u32 i = 0; i < n && XC_P->n_globals; i++) {
    u64 page = XC_DIRTY_PAGES[i];
    if (page < page_of(XC_INPUTS)) xc_globals_zones(page * PAGE_ENTRIES, (page + 1) * PAGE_ENTRIES);
  }
  for (u32 i = 0; i < XC_M->n_dirty; i++) XC_LISTED_BITS[XC_DIRTY_PAGES[i] / 64] = 0;
  XC_M->n_dirty = 0;
}

u64 xc_peek(u64 at, u32 bytes) {
  u64 v = 0;
  switch (bytes) { /* known sizes need no call */
    case 1: return *(u8 *)at;
    case 4: __builtin_memcpy(&v, (void *)at, 4); return v;
    case 8: __builtin_memcpy(&v, (void *)at, 8); return v;
    default: __builtin_memcpy(&v, (void *)at, bytes); return v;
  }
}

XC_SLOW void xc_store_slow(u64 p, u32 bytes, u32 h) {
  u32 *shadow = XC_SHADOW_OF(p);
  for (u32 i = 0; i < bytes; i++)
    if (XC_UNLIKELY(shadow[i] >= XC_POISON) && !xc_sized_touch(p, bytes, shadow[i])) xc_fail_access(p + i, bytes, XC_WRITE, 0);
  if (h) xc_mark(p, bytes);
  for (u32 i = 0; i < bytes; i++) shadow[i] = h ? h << 3 | i : 0;
}

void xc_shadow_set(u64 addr, u32 bytes, u32 handle, u64 v) {
  if (XC_FOLLOWS) {
    xc_follow_store(addr, bytes, handle, v);
    return;
  }
  if (handle || xc_dirty(addr, bytes)) xc_store_slow(addr, bytes, handle);
}

void xc_shadow_clear(u64 at, u64 bytes) {
  while (bytes) {
    u64 n = PAGE_ENTRIES - (at & XC_LOW) % PAGE_ENTRIES;
    if (n > bytes) n = bytes;
    if (xc_dirty(at, 1)) __builtin_memset(XC_SHADOW_OF(at), 0, n * 4);
    at += n;
    bytes -= n;
  }
}

void xc_shadow_copy(u64 to, u64 from, u64 bytes) {
  if (!bytes) return;
  if (!xc_dirty(from, bytes)) {
    xc_shadow_clear(to, bytes);
    return;
  }
  xc_mark(to, bytes);
  __builtin_memmove(XC_SHADOW_OF(to), XC_SHADOW_OF(from), bytes * 4);
}

void xc_checked_copy(u64 to, u64 from, u64 bytes) {
  xc_check(from, bytes, XC_READ);
  xc_check(to, bytes, XC_WRITE);
  if (XC_FOLLOWS) xc_follow_copy(to, from, bytes);
  xc_shadow_copy(to, from, bytes);
}

/* `bytes` bytes of a node, from byte `first` on. */
static u32 piece(u32 h, u32 first, u32 bytes) {
  struct xc_node *node = &XC_NODES[h];
  if (!first && node->width == 8 * bytes) return h;
  return xc_node(XC_OP_EXTRACT, 8 * bytes, h, 0, 8 * first, node->k >> 8 * first);
}

/* Blank memory: what is there becomes a node, which later loads find. The heap is zero where nobody wrote: other values are foreign code's. Where it is
 * no longer known what foreign code writes to, it may have written anywhere. */
static u32 blank_piece(u64 p, u32 i, u32 n, u64 value) {
  u32 *shadow = XC_SHADOW_OF(p) + i, filled = (xc_in_heap(p) && value) || (XC_M->reaching.lost && XC_M->reaching.run == XC->run);
  u32 h = filled ? 0 : xc_undefined_node(p + i, n, value);
  for (u32 at = 0; at < n; at++) shadow[at] = h ? h << 3 | at : 0;
  return h;
}

/* The handle at [p + i, p + i + n), which lies in one node, or 0 if memory holds something else. */
static u32 fresh_piece(u64 p, u32 i, u32 n, u64 r) {
  u32 *shadow = XC_SHADOW_OF(p) + i;
  u64 mask = XC_MASK(8 * n);
  if (!*shadow) return 0;
  if (*shadow >= XC_BLANK) return blank_piece(p, i, n, r >> 8 * i & mask);
  u32 h = *shadow >> 3, first = *shadow & 7;
  if (((XC_NODES[h].k >> 8 * first) & mask) == (r >> 8 * i & mask)) return piece(h, first, n);
  __builtin_memset(shadow, 0, n * 4);
  if (xc_is(h, XC_SYMBOLIC)) xc_event(XC_EV_STALE, 0, 0, 0, p + i);
  return 0;
}

/* Whether memory still holds what the shadow says. */
static int agrees(u32 shadow, u32 n, u64 value) {
  return !shadow || shadow >= XC_BLANK || (XC_NODES[shadow >> 3].k >> 8 * (shadow & 7) & XC_MASK(8 * n)) == (value & XC_MASK(8 * n));
}

XC_SLOW u32 xc_load_slow(u64 p, u32 bytes, u64 r) {
  u32 *shadow = XC_SHADOW_OF(p), result = 0, done = 0;
  for (u32 i = 0; i < bytes; i++)
    if (XC_UNLIKELY(shadow[i] >= XC_POISON) && !xc_sized_touch(p, bytes, shadow[i])) xc_fail_access(p + i, bytes, XC_READ, 0);
  while (done < bytes) {
    u32 n = 1;
    while (done + n < bytes && shadow[done + n] == (shadow[done] ? shadow[done] + n : 0)) n++;
    /* A byte that is stale must not make its neighbours concrete: pieces are tried whole, then byte by byte. */
    if (!agrees(shadow[done], n, r >> 8 * done)) n = 1;
    u32 h = fresh_piece(p, done, n, r);
    if (!done) {
      result = h;
    } else if (h || result) {
      if (!h) h = xc_const(8 * n, r >> 8 * done);
      if (!result) result = xc_const(8 * done, r);
      result = xc_node(XC_OP_CONCAT, 8 * (done + n), h, result, 0, r);
    }
    done += n;
  }
  return result;
}

u32 xc_shadow_get(u64 addr, u32 bytes, u64 k) {
  u32 h = xc_dirty(addr, bytes) ? xc_load_slow(addr, bytes, k) : 0;
  return XC_FOLLOWS ? xc_follow_load(addr, bytes, h, k) : h;
}

XC_SLOW u32 xc_load_wide(u64 p, u32 bytes, u32 width, u64 low, u64 high) {
  if (!XC_FOLLOWS && !xc_dirty(p, bytes)) return 0;
  u32 h = xc_shadow_get(p, 8, low), top = xc_shadow_get(p + 8, bytes - 8, high);
  if (!h && !top) return 0;
  if (!h) h = xc_const(64, low);
  if (!top) top = xc_const(8 * bytes - 64, high);
  h = xc_node(XC_OP_CONCAT, 8 * bytes, top, h, 0, low);
  return width == 8 * bytes ? h : xc_node(XC_OP_EXTRACT, width, h, 0, 0, low);
}

XC_SLOW void xc_store_wide(u64 p, u32 bytes, u32 h, u32 width, u64 low, u64 high) {
  if (!h) {
    if (XC_FOLLOWS) {
      xc_follow_store(p, 8, 0, low);
      xc_follow_store(p + 8, bytes - 8, 0, high);
    } else {
      xc_shadow_clear(p, bytes);
    }
    return;
  }
  if (width < 8 * bytes) h = xc_node(XC_OP_ZEXT, 8 * bytes, h, 0, 0, low);
  xc_shadow_set(p, 8, xc_node(XC_OP_EXTRACT, 64, h, 0, 0, low), low);
  xc_shadow_set(p + 8, bytes - 8, xc_node(XC_OP_EXTRACT, 8 * bytes - 64, h, 0, 64, high), high);
}

/* The System V va_list: where the variadic arguments lie, as the callee's prologue and the caller put them there. */
struct va_tag { u32 gp, fp; u64 overflow, saved; };
enum va_kind { VA_INTEGER = 0, VA_FLOAT = 1, VA_MEMORY = 2 };

void xc_va_start(u64 list, const struct xc_va *va, u64 count) {
  struct va_tag *tag = (struct va_tag *)list;
  if (XC_FOLLOWS) xc_follow_lost(XC_UNTOLD_VARIADIC, 0);
  u64 gp = tag->gp, fp = tag->fp, next = tag->overflow;
  xc_shadow_clear(tag->saved, 176);
  if (!count || count >= XC_VAS) xc_forget(next, 512); /* some are not known: what lies there is what others left */
  for (u64 i = 0; i < count && i < XC_VAS; i++) {
    u64 at;
    if (va[i].kind == VA_MEMORY) {
      next = (next + va[i].handle - 1) & -(u64)va[i].handle; /* the handle's place holds the alignment */
      xc_shadow_copy(next, va[i].from, va[i].size);
      next += (va[i].size + 7) & ~7ull;
      continue;
    }
    if (va[i].kind == VA_FLOAT && fp < 176) at = tag->saved + fp, fp += 16;
    else if (va[i].kind == VA_INTEGER && gp < 48) at = tag->saved + gp, gp += 8;
    else at = next, next += 8;
    xc_shadow_clear(at, 8);
    if (va[i].handle) xc_shadow_set(at, XC_NODES[va[i].handle].width / 8, va[i].handle, XC_NODES[va[i].handle].k);
  }
}
