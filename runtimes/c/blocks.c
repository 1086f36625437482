/* Blocks of memory that are copied or filled: memcpy and its kin.
 *
 * Invariant. How many bytes there are is one number from here on: a symbolic one is checked against both objects, then decided (values.c). */
#include "memory.h"

/* Where a copy goes or comes from: input pointers are exact, offsets into objects are pinned. */
static struct xc_plan plan_block(const struct xc_access *a, u64 bytes) {
  XC_M->plan.kind = XC_PLAN_PLAIN;
  if (a->hp && bytes) xc_plan(a, 0);
  return XC_M->plan;
}

/* The bytes from an address to the end of its object, as a node. */
static u32 room_of(const struct xc_access *a, struct xc_object *object, u32 width) {
  u32 pointer;
  u64 offset = a->p - object->base, ignored;
  struct xc_sized *sized = a->hp && xc_is_simple(a->hp, &pointer, &ignored) ? xc_sized_of(xc_variable(pointer)) : 0;
  if (!sized && object->kind == XC_OBJ_HEAP) sized = xc_sized_of(object->base);
  if (!sized || width != 64) return xc_const(width, object->size - offset);
  object->size = xc_sized_now(sized);
  if (!xc_sized_holds(sized, offset, a->site)) xc_fail_bounds(object, a->p, 1, a->write);
  return xc_make(XC_OP_SUB, 64, sized->size, xc_const(64, offset));
}

/* A symbolic number of bytes: can it leave the object? Then each number is a path of its own. */
static void choose_bytes(const struct xc_access *to, const struct xc_access *from, u64 bytes, u32 hbytes) {
  const struct xc_access *ends[2] = {to, from};
  u32 width = XC_NODES[hbytes].width;
  for (u32 i = 0; i < 2 && ends[i]; i++) {
    struct xc_object object;
    if (!xc_object_of(ends[i]->p, &object)) continue;
    u32 room = room_of(ends[i], &object, width);
    u32 within = xc_make(XC_OP_ULE, width, hbytes, room), holds = (u32)XC_NODES[within].k;
    xc_event(XC_EV_CHECK, to->site, within, holds, holds);
    if (!holds) xc_fail_bounds(&object, ends[i]->p, bytes, ends[i]->write);
  }
  xc_choose(to->site + 1, hbytes, 0);
}

enum { MAX_EXACT_COPY = 512 };

XC_SLOW void xc_copy_slow(const struct xc_access *to, const struct xc_access *from, u64 bytes, u32 hbytes) {
  if (XC_FOLLOWS && hbytes) xc_follow_equal(hbytes);
  if (xc_is(hbytes, XC_SYMBOLIC)) choose_bytes(to, from, bytes, hbytes);
  struct xc_plan target = plan_block(to, bytes), source = plan_block(from, bytes);
  if ((target.kind != XC_PLAN_ALIAS && source.kind != XC_PLAN_ALIAS) || bytes > MAX_EXACT_COPY || !to->p || !from->p) {
    xc_checked_copy(to->p, from->p, bytes);
    return;
  }
  xc_check(from->p, bytes, XC_READ);
  xc_check(to->p, bytes, XC_WRITE);
  /* All is read before anything is written, as in memmove. */
  u32 handles[MAX_EXACT_COPY / 8], n = 0;
  u64 values[MAX_EXACT_COPY / 8];
  XC_M->plan = source;
  for (u64 i = 0; i < bytes; i += 8, n++) {
    u32 part = bytes - i < 8 ? (u32)(bytes - i) : 8;
    XC_M->plan.offset = source.offset + i;
    values[n] = xc_peek(from->p + i, part);
    handles[n] = xc_load_planned(from->p + i, part, values[n]);
  }
  XC_M->plan = target;
  for (u64 i = 0; i < bytes; i += 8) {
    XC_M->plan.offset = target.offset + i;
    xc_store_planned(to->p + i, bytes - i < 8 ? (u32)(bytes - i) : 8, handles[i / 8], values[i / 8]);
  }
}

XC_SLOW void xc_fill_slow(const struct xc_access *to, u32 hbyte, u64 byte, u64 bytes, u32 hbytes) {
  if (XC_FOLLOWS && hbytes) xc_follow_equal(hbytes);
  if (xc_is(hbytes, XC_SYMBOLIC)) choose_bytes(to, 0, bytes, hbytes);
  struct xc_plan target = plan_block(to, bytes);
  if (!to->p) return;
  xc_check(to->p, bytes, XC_WRITE);
  for (u64 i = 0; i < bytes; i++) {
    if (target.kind != XC_PLAN_ALIAS && !hbyte) {
      if (XC_FOLLOWS) xc_follow_fill(to->p, 0, byte, bytes);
      xc_shadow_clear(to->p, bytes);
      return;
    }
    XC_M->plan.offset = target.offset + i;
    xc_store_planned(to->p + i, 1, hbyte, byte & 0xff);
  }
}

/* A block that foreign code is about to read or write. */
XC_SLOW void xc_block_slow(const struct xc_access *at, u64 bytes, u32 hbytes) {
  if (XC_FOLLOWS && hbytes) xc_follow_equal(hbytes);
  if (xc_is(hbytes, XC_SYMBOLIC)) choose_bytes(at, 0, bytes, hbytes);
  plan_block(at, bytes);
  if (at->p) xc_check(at->p, bytes, at->write);
}
