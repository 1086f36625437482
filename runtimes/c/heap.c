/* The malloc family and the map from addresses to objects.
 *
 * A bump allocator in a fixed arena: no address is used twice in a run, each run allocates the same addresses, and small overflows end in
 * the zone between objects. Libraries that call malloc get this one too; what they allocate before the first run stays.
 *
 * Invariant. XC_HEAP_OBJECTS is sorted by base; the 16 bytes before an object name its index there. */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include "rt.h"

#define FREED (1ull << 63)
#define HEADER 0x7863757465ull
enum { ZONE = 16, MANY = 1 << 24, ZEROED_AT_ONCE = 1 << 20 };

struct header { u64 index, check; };

static struct header *header_of(u64 at) { return (struct header *)(at - sizeof(struct header)); }

static void *no_memory(void) {
  errno = ENOMEM;
  return NULL;
}

static void *take(u64 size, u64 alignment) {
  xc_map();
  if (size > XC_P->heap_limit) return no_memory();
  u64 at = (XC_P->heap_top + sizeof(struct header) + ZONE + alignment - 1) & -alignment;
  u64 top = (at + size + 15) & ~15ull;
  if (top - XC_P->heap_first > XC_P->heap_limit || top < at || top > XC_HEAP_END || XC_P->n_heap == MANY) {
    if (XC_P->running == XC_YES) xc_end(XC_OUT_OF_MEMORY);
    return no_memory();
  }
  xc_open(&XC_P->heap_open, top + ZONE);
  XC_P->heap_top = top;
  u64 index = XC_P->n_heap++;
  XC_HEAP_OBJECTS[index] = (struct xc_global){at, size};
  *header_of(at) = (struct header){index, index ^ at ^ HEADER};
  return (void *)at;
}

/* The live object that starts at `at`, or NULL. */
static struct xc_global *starts_at(u64 at) {
  if (at < XC_HEAP + sizeof(struct header) || at >= XC_P->heap_top || at % 16) return NULL;
  struct header h = *header_of(at);
  if (h.check != (h.index ^ at ^ HEADER) || h.index >= XC_P->n_heap || XC_HEAP_OBJECTS[h.index].base != at) return NULL;
  return &XC_HEAP_OBJECTS[h.index];
}

/* As the C library does: a message and abort. Outside of runs nobody is to blame. */
static void wrong_free(const char *message) {
  if (XC_P->running == XC_YES) xc_fail_abort(message);
}

XC_WEAK void *malloc(size_t size) { return take(size, 16); }

XC_WEAK void free(void *pointer) {
  if (!pointer) return;
  struct xc_global *object = starts_at((u64)pointer);
  if (!object) wrong_free("free(): invalid pointer");
  else if (object->size & FREED) wrong_free("free(): double free");
  else object->size |= FREED;
}

XC_WEAK void *calloc(size_t count, size_t size) {
  u64 bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return no_memory();
  return take(bytes, 16); /* the arena is zero */
}

XC_WEAK void *realloc(void *pointer, size_t size) {
  if (!pointer) return take(size, 16);
  struct xc_global *object = starts_at((u64)pointer);
  if (!object || object->size & FREED) {
    wrong_free("realloc(): invalid pointer");
    return NULL;
  }
  if (!size) {
    object->size |= FREED;
    return NULL;
  }
  void *to = take(size, 16);
  if (!to) return NULL;
  u64 bytes = object->size < size ? object->size : size;
  xc_copy(to, pointer, bytes);
  if (XC_P->running == XC_YES) xc_shadow_copy((u64)to, (u64)pointer, bytes);
  object->size |= FREED;
  return to;
}

XC_WEAK void *reallocarray(void *pointer, size_t count, size_t size) {
  u64 bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return no_memory();
  return realloc(pointer, bytes);
}

static int power_of_two(u64 n) { return n && !(n & (n - 1)); }

XC_WEAK int posix_memalign(void **out, size_t alignment, size_t size) {
  if (!power_of_two(alignment) || alignment % sizeof(void *)) return EINVAL;
  void *at = take(size, alignment < 16 ? 16 : alignment);
  if (!at) return ENOMEM;
  *out = at;
  return 0;
}

XC_WEAK void *memalign(size_t alignment, size_t size) {
  while (!power_of_two(alignment)) alignment += alignment & -alignment;
  return take(size, alignment < 16 ? 16 : alignment);
}

XC_WEAK void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment ? alignment : 1, size); }
XC_WEAK void *valloc(size_t size) { return take(size, 4096); }
XC_WEAK void *pvalloc(size_t size) { return take((size + 4095) & ~4095ull, 4096); }

XC_WEAK size_t malloc_usable_size(void *pointer) {
  struct xc_global *object = pointer ? starts_at((u64)pointer) : NULL;
  return object ? object->size & ~FREED : 0;
}

void xc_heap_reset(void) {
  u64 first = XC_P->heap_first, used = XC_P->heap_top - first;
  if (used > ZEROED_AT_ONCE) {
    u64 page = (first + ZEROED_AT_ONCE) & ~4095ull;
    madvise((void *)page, XC_P->heap_top - page, MADV_DONTNEED);
    used = page - first;
  }
  if (used) xc_zero((void *)first, used);
  /* What a wild access finds must not depend on earlier runs. */
  u64 open = (first + ZONE + XC_CHUNK - 1) & -(u64)XC_CHUNK;
  if (XC_P->heap_open > open) {
    mprotect((void *)open, XC_P->heap_open - open, PROT_NONE);
    XC_P->heap_open = open;
  }
  XC_P->heap_top = first;
  XC_P->n_heap = XC_P->n_heap_first;
}

void xc_globals_start(void) {
  struct xc_global *sorted = XC_SORTED_GLOBALS;
  u64 n = xc_n_globals < (1 << 20) ? xc_n_globals : 1 << 20;
  for (u64 i = 0; i < n; i++) sorted[i] = xc_globals[i];
  for (u64 gap = n / 2; gap; gap /= 2) { /* Shell's sort: needs no memory */
    for (u64 i = gap; i < n; i++) {
      struct xc_global g = sorted[i];
      u64 j = i;
      for (; j >= gap && sorted[j - gap].base > g.base; j -= gap) sorted[j] = sorted[j - gap];
      sorted[j] = g;
    }
  }
  XC_P->n_globals = n;
}

static int contains(const struct xc_global *object, u64 addr) { return addr - object->base < object->size; }

/* The last of n objects, sorted by base, that does not begin after addr; NULL if all do. */
static const struct xc_global *last_before(const struct xc_global *objects, u64 n, u64 addr) {
  u64 low = 0, high = n;
  while (low < high) {
    u64 middle = (low + high) / 2;
    if (objects[middle].base <= addr) low = middle + 1;
    else high = middle;
  }
  return low ? &objects[low - 1] : NULL;
}

/* Objects of one frame are not sorted, so this is a search from the innermost on. */
static const struct xc_global *stack_object(u64 addr) {
  for (u64 i = XC_P->n_stack; i-- > 0;) {
    if (contains(&XC_STACK_OBJECTS[i], addr)) return &XC_STACK_OBJECTS[i];
  }
  return NULL;
}

int xc_object_of(u64 addr, struct xc_object *out) {
  const struct xc_global *found = NULL;
  *out = (struct xc_object){0, 0, XC_OBJ_NONE, 0};
  if (addr >= XC_INPUTS && addr < XC_INPUTS_END) {
    struct xc_pointer *pointer = xc_pointer_at(addr);
    if (pointer) *out = (struct xc_object){pointer->own, pointer->size, XC_OBJ_INPUT, pointer->var};
    return pointer != NULL;
  }
  if (addr >= XC_HEAP && addr < XC_HEAP_END) {
    found = last_before(XC_HEAP_OBJECTS, XC_P->n_heap, addr);
    out->kind = XC_OBJ_HEAP;
  } else if (addr >= XC_STACK && addr < XC_STACK + XC_STACK_SIZE) {
    found = stack_object(addr);
    out->kind = XC_OBJ_STACK;
  } else {
    found = last_before(XC_SORTED_GLOBALS, XC_P->n_globals, addr);
    out->kind = XC_OBJ_GLOBAL;
  }
  if (!found || found->size & FREED || !contains(found, addr)) {
    out->kind = XC_OBJ_NONE;
    return 0;
  }
  out->base = found->base;
  out->size = found->size;
  return 1;
}
