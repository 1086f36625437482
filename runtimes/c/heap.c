/* The malloc family.
 *
 * A bump allocator in a fixed arena: no address is used twice in a run, each run allocates the same addresses. Between objects lie poisoned
 * zones; freed objects are poisoned for the rest of the run. Libraries that call malloc get this one too; what they allocate before the first
 * run stays, and has no zones.
 *
 * Invariant. XC_HEAP_OBJECTS is sorted by base; the 16 bytes before an object name its index there. */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include "memory.h"
#include "threads.h"

#define FREED XC_FREED_BIT
#define HEADER 0x7863757465ull
#define FRAME ((u64)__builtin_frame_address(0))
enum { ZONE = XC_ZONE, ZEROED_AT_ONCE = 1 << 20 };

struct header { u64 index, check; };

static struct header *header_of(u64 at) { return (struct header *)(at - sizeof(struct header)); }

static void *no_memory(void) {
  errno = ENOMEM;
  return NULL;
}

/* Where the next object of an arena would be, and what ends it. */
static int fits(const struct xc_arena *arena, u64 room, u64 alignment, u64 *at, u64 *top) {
  *at = (arena->top + sizeof(struct header) + ZONE + alignment - 1) & -alignment;
  *top = (*at + room + 15) & ~15ull;
  return *top >= *at && *top + ZONE <= arena->end && *top - arena->first <= XC_P->heap_limit && arena->n < arena->most;
}

static void *take(u64 size, u64 alignment, u64 frame, int blank) {
  xc_map();
  u32 symbolic = XC_P->size_handle;
  u64 room = symbolic ? XC_SLOT : size;
  XC_P->size_handle = 0;
  if (size > XC_P->heap_limit) {
    /* Another machine may have as much. */
    if (XC_P->running == XC_YES && size >> 47 == 0) xc_unsupported(XC_LOST_MEMORY);
    return no_memory();
  }
  struct xc_arena *arena = XC_P->arena;
  u64 at, top;
  if (!fits(arena, room, alignment, &at, &top)) {
    /* A thread that needs more than others gets it where the first one does. */
    arena = &XC_P->heap;
    if (!fits(arena, room, alignment, &at, &top)) {
      if (XC_P->running == XC_YES) xc_end(XC_OUT_OF_MEMORY);
      return no_memory();
    }
  }
  xc_open(&arena->open, top + ZONE);
  u64 before = arena->top, index = arena->n++;
  arena->top = top;
  XC_HEAP_OBJECTS[index] = (struct xc_global){at, size};
  *header_of(at) = (struct header){index, index ^ at ^ HEADER};
  xc_origin_of(XC_ORIGINS[index].allocated, frame);
  if (XC_P->running == XC_YES) {
    xc_poison(before, at - before, XC_POISON_ZONE);
    u64 used = symbolic && !size ? 1 : size;
    xc_poison(at + used, top + ZONE - at - used, XC_POISON_ZONE);
    /* Foreign code fills its own memory unseen. */
    int fresh = blank && xc_in_text(((u64 *)frame)[1]);
    if (XC_FOLLOWS) xc_follow_words(XC_EV_ALLOC, 0, (u32)fresh, at, size);
    if (XC_FOLLOWS && symbolic) xc_follow_lost(XC_UNTOLD_SIZE, 0);
    if (fresh) xc_blank(at, symbolic && size ? 1 : size);
    if (symbolic) xc_sized_add(at, symbolic, XC_P->size_site);
    if (symbolic && size > 1) xc_poison(at + 1, size - 1, fresh ? XC_POISON_SIZE_BLANK : XC_POISON_SIZE);
  }
  return (void *)at;
}

static void drop(struct xc_global *object, u64 frame) {
  u64 marked = object->size < XC_MARKED ? object->size : XC_MARKED;
  xc_origin_of(XC_ORIGINS[object - XC_HEAP_OBJECTS].freed, frame);
  if (XC_P->running == XC_YES && XC_FOLLOWS) xc_follow_event(XC_EV_FREE, 0, 0, 0, 0, object->base);
  if (XC_P->running == XC_YES) xc_poison(object->base, marked, XC_POISON_FREED);
  object->size |= FREED;
}

/* The live object that starts at `at`, or NULL. */
static struct xc_global *starts_at(u64 at) {
  const struct xc_arena *arena = xc_arena_of(at);
  /* The first thread's arena begins with what was allocated before the first run. */
  if (!arena || at < (arena == &XC_P->heap ? XC_HEAP : arena->first) + sizeof(struct header) || at > arena->top || at % 16) return NULL;
  struct header h = *header_of(at);
  if (h.check != (h.index ^ at ^ HEADER) || h.index >= arena->n || XC_HEAP_OBJECTS[h.index].base != at) return NULL;
  return &XC_HEAP_OBJECTS[h.index];
}

/* Outside of runs nobody is to blame. */
static void wrong_free(void *pointer, u32 check) {
  if (XC_P->running == XC_YES) xc_fail_access((u64)pointer, 0, XC_FREE, check);
}

/* The live object that the pointer owns; NULL, if it owns none and this is not a run. */
static struct xc_global *owned(void *pointer) {
  struct xc_global *object = starts_at((u64)pointer);
  if (object && !(object->size & FREED)) return object;
  wrong_free(pointer, object ? XC_CHECK_DOUBLE_FREE : XC_CHECK_INVALID_FREE);
  return NULL;
}

XC_WEAK void *malloc(size_t size) { return take(size, 16, FRAME, 1); }

/* What frees an object is as a write to all of it, which others may see; what libraries do is not a step of its own. */
#define FREES(pointer) \
  if (XC_P->running == XC_YES && XC_UNLIKELY(XC->concurrent) && (pointer) && xc_in_text((u64)__builtin_return_address(0))) \
    xc_access_slow((u64)(pointer), owned(pointer)->size, XC_FREE)

XC_WEAK void free(void *pointer) {
  FREES(pointer);
  struct xc_global *object = pointer ? owned(pointer) : NULL;
  if (object) drop(object, FRAME);
}

XC_WEAK void *calloc(size_t count, size_t size) {
  u64 bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return no_memory();
  return take(bytes, 16, FRAME, 0); /* the arena is zero */
}

static void *resize(void *pointer, u64 size, u64 frame) {
  if (!pointer) return take(size, 16, frame, 1);
  struct xc_global *object = owned(pointer);
  if (!object) return NULL;
  if (XC_P->running == XC_YES) xc_sized_nothing();
  if (!size) {
    drop(object, frame);
    return NULL;
  }
  u64 bytes = object->size < size ? object->size : size;
  if (XC_P->running == XC_YES) {
    xc_sized_choose((u64)pointer);
    xc_sized_resize(object->size);
  }
  void *to = take(size, 16, frame, 1);
  if (!to) return NULL;
  if (XC_P->running == XC_YES && XC_FOLLOWS) xc_follow_copy((u64)to, (u64)pointer, bytes);
  if (XC_P->running == XC_YES) xc_shadow_copy((u64)to, (u64)pointer, bytes);
  xc_copy(to, pointer, bytes);
  drop(object, frame);
  return to;
}

XC_WEAK void *realloc(void *pointer, size_t size) {
  FREES(pointer);
  return resize(pointer, size, FRAME);
}

XC_WEAK void *reallocarray(void *pointer, size_t count, size_t size) {
  u64 bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return no_memory();
  FREES(pointer);
  return resize(pointer, bytes, FRAME);
}

static int power_of_two(u64 n) { return n && !(n & (n - 1)); }

XC_WEAK int posix_memalign(void **out, size_t alignment, size_t size) {
  if (!power_of_two(alignment) || alignment % sizeof(void *)) return EINVAL;
  void *at = take(size, alignment < 16 ? 16 : alignment, FRAME, 1);
  if (!at) return ENOMEM;
  *out = at;
  if (XC_P->running == XC_YES) xc_shadow_set((u64)out, sizeof *out, 0, (u64)at); /* that is initialised now */
  return 0;
}

static u64 rounded(u64 alignment) {
  while (alignment && !power_of_two(alignment)) alignment += alignment & -alignment;
  return alignment < 16 ? 16 : alignment;
}

XC_WEAK void *memalign(size_t alignment, size_t size) { return take(size, rounded(alignment), FRAME, 1); }
XC_WEAK void *aligned_alloc(size_t alignment, size_t size) { return take(size, rounded(alignment), FRAME, 1); }
XC_WEAK void *valloc(size_t size) { return take(size, 4096, FRAME, 1); }
XC_WEAK void *pvalloc(size_t size) { return take((size + 4095) & ~4095ull, 4096, FRAME, 1); }

XC_WEAK size_t malloc_usable_size(void *pointer) {
  struct xc_global *object = pointer ? starts_at((u64)pointer) : NULL;
  return object ? object->size & ~FREED : 0;
}

void xc_heap_reset(struct xc_arena *arena) {
  u64 first = arena->first, used = arena->top - first;
  if (used > ZEROED_AT_ONCE) {
    u64 page = (first + ZEROED_AT_ONCE) & ~4095ull;
    madvise((void *)page, arena->top - page, MADV_DONTNEED);
    used = page - first;
  }
  if (used) xc_zero((void *)first, used);
  /* What a wild access finds must not depend on earlier runs. */
  u64 open = (first + ZONE + XC_CHUNK - 1) & -(u64)XC_CHUNK;
  if (arena->open > open) {
    mprotect((void *)open, arena->open - open, PROT_NONE);
    arena->open = open;
  }
  arena->top = first;
  arena->n = arena->n_first;
}
