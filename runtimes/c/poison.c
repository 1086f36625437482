/* Poison: memory that must not be accessed, and the failure of whoever does.
 *
 * Poison is a value of the shadow that every access tests anyway, so accesses to good memory cost nothing more (as in AddressSanitizer, Serebryany
 * et al. 2012, but with the shadow that symbolic values have already). There are three kinds: the zones between objects, freed objects, and
 * the locals of functions that have returned.
 *
 * Invariant. Poison is never in an object that lives, but for what sized.c puts there. Copies of shadow do not carry it. */
#include <stddef.h>
#include "memory.h"

void xc_poison(u64 at, u64 bytes, u32 kind) {
  u32 *shadow = XC_SHADOW_OF(at);
  xc_mark(at, bytes);
  for (u64 i = 0; i < bytes; i++) shadow[i] = XC_POISON | kind;
}

void xc_check(u64 at, u64 bytes, u32 access) {
  u64 whole = bytes, first = at;
  while (bytes) {
    u64 n = 1024 - (at & XC_LOW) % 1024;
    if (n > bytes) n = bytes;
    const u32 *shadow = XC_SHADOW_OF(at);
    u32 poisoned = 0;
    for (u64 i = 0; xc_dirty(at, 1) && i < n; i++) poisoned |= shadow[i] >= XC_POISON;
    if (XC_UNLIKELY(poisoned)) {
      for (; *shadow < XC_POISON; shadow++) at++;
      if (!xc_sized_touch(first, whole, *shadow)) xc_fail_access(at, whole, access, 0);
      at = first;
      bytes = whole;
      continue;
    }
    at += n;
    bytes -= n;
    if (at >> 36) return; /* the access itself will fault */
  }
}

static u32 check_of(u64 at) {
  switch (*XC_SHADOW_OF(at) & 0xff) {
    case XC_POISON_FREED: return XC_CHECK_FREED;
    case XC_POISON_LEFT: return XC_CHECK_LEFT;
    default: return XC_CHECK_BOUNDS;
  }
}

static _Noreturn void fail(const struct xc_object *object, u64 at, u64 bytes, u32 access, u32 check) {
  XC->access = access;
  XC->access_bytes = bytes;
  XC->object_kind = object->kind;
  XC->object_name = object->var;
  XC->object_base = object->base;
  XC->object_size = object->size;
  XC->object_freed = object->kind == XC_OBJ_HEAP && XC_HEAP_OBJECTS[object->index].size & XC_FREED_BIT;
  for (u32 i = 0; i < XC_ORIGIN; i++) {
    int heap = object->kind == XC_OBJ_HEAP;
    XC->allocated[i] = heap ? XC_ORIGINS[object->index].allocated[i] : 0;
    XC->freed[i] = heap && XC->object_freed ? XC_ORIGINS[object->index].freed[i] : 0;
  }
  xc_fail_check(check, 0, at);
}

_Noreturn void xc_fail_access(u64 at, u64 bytes, u32 access, u32 check) {
  struct xc_object object;
  xc_object_near(at, &object);
  fail(&object, at, bytes, access, check ? check : check_of(at));
}

_Noreturn void xc_fail_bounds(const struct xc_object *object, u64 at, u64 bytes, u32 access) {
  u64 end = object->base + object->size;
  if (at < end && at >= object->base) at = end; /* it begins inside */
  fail(object, at, bytes, access, XC_CHECK_BOUNDS);
}
