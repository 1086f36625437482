/* The map from addresses to objects: heap objects, locals, globals, input objects.
 *
 * Invariant. XC_SORTED_GLOBALS and XC_HEAP_OBJECTS are sorted by base, XC_STACK_OBJECTS the other way round. Entries of XC_STACK_OBJECTS beyond n_stack are those of frames that were
 * left, until others take their place. */
#include <stddef.h>
#include "memory.h"
#include "threads.h"

void xc_globals_start(void) {
  struct xc_named *sorted = XC_SORTED_GLOBALS;
  u64 n = xc_n_globals < (1 << 20) ? xc_n_globals : 1 << 20;
  for (u64 i = 0; i < n; i++) {
    sorted[i] = xc_globals[i];
    XC_P->exported += (sorted[i].name & XC_EXPORTED) != 0;
  }
  for (u64 gap = n / 2; gap; gap /= 2) { /* Shell's sort: needs no memory */
    for (u64 i = gap; i < n; i++) {
      struct xc_named g = sorted[i];
      u64 j = i;
      for (; j >= gap && sorted[j - gap].base > g.base; j -= gap) sorted[j] = sorted[j - gap];
      sorted[j] = g;
    }
  }
  XC_P->n_globals = n;
  for (u64 i = 0; i < xc_n_functions; i++)
    if (xc_functions[i] < XC_SHARED) XC_OURS[xc_functions[i] >> 10] |= 1ull << (xc_functions[i] >> 4 & 63);
  xc_globals_zones(0, XC_INPUTS);
  xc_memory_reset();
}

/* How many of n objects, sorted by base, do not begin after addr. Both kinds of objects are 16 bytes and begin with their base. */
static u64 up_to(const void *objects, u64 n, u64 addr) {
  const struct xc_global *all = objects;
  u64 low = 0, high = n;
  while (low < high) {
    u64 middle = (low + high) / 2;
    if (all[middle].base <= addr) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* The first thread's arena begins with what was allocated before the first run. */
static u64 heap_begin(const struct xc_arena *arena) { return arena == &XC_P->heap ? 0 : arena->n_first; }
static u64 heap_up_to(const struct xc_arena *arena, u64 addr) {
  u64 begin = heap_begin(arena);
  return begin + up_to(&XC_HEAP_OBJECTS[begin], arena->n - begin, addr);
}

void xc_globals_zones(u64 from, u64 to) {
  u64 n = up_to(XC_SORTED_GLOBALS, XC_P->n_globals, from);
  /* The last ones before may reach into the range. */
  for (u64 i = n ? n - 1 : 0; i < XC_P->n_globals && XC_SORTED_GLOBALS[i].base < to; i++) {
    const struct xc_named *global = &XC_SORTED_GLOBALS[i];
    u64 first = global->base + global->size, last = first + XC_ZONE;
    if (first < from) first = from;
    if (last > to) last = to;
    if (global->name & XC_ZONED && first < last) xc_poison(first, last - first, XC_POISON_ZONE);
  }
}

static void set_named(struct xc_object *out, const struct xc_named *object, u32 kind) {
  *out = (struct xc_object){object->base, object->size, kind, object->name & ~(XC_ZONED | XC_EXPORTED), 0};
}

static void set_heap(struct xc_object *out, u64 index) {
  const struct xc_global *object = &XC_HEAP_OBJECTS[index];
  *out = (struct xc_object){object->base, object->size & ~(XC_FREED_BIT | XC_REACHED_BIT), XC_OBJ_HEAP, 0, (u32)index};
}

static int holds(const struct xc_object *object, u64 addr) { return addr - object->base < object->size; }

struct xc_arena *xc_arena_of(u64 addr) {
  if (addr >= XC_HEAP && addr < XC_HEAP_END) return &XC_P->heap;
  if (addr < XC_ARENAS || addr >= XC_ARENAS_END || !XC->threads_at) return NULL;
  struct xc_fiber *fiber = &XC_FIBERS[(addr - XC_ARENAS) / XC_ARENA];
  return fiber->run == XC->run ? &fiber->heap : NULL;
}

/* The objects of the stack that the address is on: from `first` on, the first n - first of them live. */
static int stack_of(u64 addr, u64 *first, u64 *n) {
  u64 task = 0;
  if (addr < XC_STACK || addr >= XC_STACK + XC_STACK_SIZE) {
    if (addr < XC_FIBER_STACKS || addr >= XC_FIBER_STACKS_END || !XC->threads_at) return 0;
    task = (addr - XC_FIBER_STACKS) / XC_FIBER_SLOT;
    if (XC_FIBERS[task].run != XC->run) return 0;
  }
  *first = task ? xc_first_local(task) : 0;
  *n = !XC->threads_at || !XC_SELF || XC_SELF->task == task ? XC_P->n_stack : XC_FIBERS[task].n_stack;
  return 1;
}

int xc_object_of(u64 addr, struct xc_object *out) {
  *out = (struct xc_object){0, 0, XC_OBJ_NONE, 0, 0};
  u64 n, first;
  struct xc_arena *arena;
  if (addr >= XC_INPUTS && addr < XC_INPUTS_END) {
    struct xc_pointer *pointer = xc_pointer_at(addr);
    if (pointer) *out = (struct xc_object){pointer->own, pointer->size, XC_OBJ_INPUT, pointer->var, 0};
    return pointer != NULL;
  }
  if ((arena = xc_arena_of(addr))) {
    if ((n = heap_up_to(arena, addr)) == heap_begin(arena) || XC_HEAP_OBJECTS[n - 1].size & XC_FREED_BIT) return 0;
    set_heap(out, n - 1);
  } else if (stack_of(addr, &first, &n)) {
    /* Bases fall (locals.c): the first that is not above the address. */
    u64 end = n;
    while (first < n) {
      u64 middle = first + (n - first) / 2;
      if (XC_STACK_OBJECTS[middle].base > addr) first = middle + 1;
      else n = middle;
    }
    if (n == end) return 0;
    set_named(out, &XC_STACK_OBJECTS[n], XC_OBJ_STACK);
  } else {
    if (!(n = up_to(XC_SORTED_GLOBALS, XC_P->n_globals, addr))) return 0;
    set_named(out, &XC_SORTED_GLOBALS[n - 1], XC_OBJ_GLOBAL);
  }
  if (holds(out, addr)) return 1;
  out->kind = XC_OBJ_NONE;
  return 0;
}

/* How far the address is from the object: 0 in it. */
static u64 distance(const struct xc_object *object, u64 addr) {
  if (holds(object, addr)) return 0;
  return addr < object->base ? object->base - addr : addr - (object->base + object->size) + 1;
}

/* The nearer one; if both are equally far, the one whose end was overrun. */
static void nearer(struct xc_object *best, const struct xc_object *other, u64 addr) {
  u64 near = distance(other, addr);
  if (best->kind == XC_OBJ_NONE || near < distance(best, addr)) *best = *other;
}

int xc_object_near(u64 addr, struct xc_object *out) {
  struct xc_object other;
  *out = (struct xc_object){0, 0, XC_OBJ_NONE, 0, 0};
  u64 first, live;
  struct xc_arena *arena = xc_arena_of(addr);
  if (arena) {
    u64 n = heap_up_to(arena, addr);
    if (n > heap_begin(arena)) set_heap(out, n - 1);
    if (n < arena->n) set_heap(&other, n), nearer(out, &other, addr);
  } else if (stack_of(addr, &first, &live)) {
    u64 most = first ? XC_LOCALS - 2 : 1 << 20;
    for (u64 i = first; i < first + most && XC_STACK_OBJECTS[i].base; i++) {
      set_named(&other, &XC_STACK_OBJECTS[i], XC_OBJ_STACK);
      if (i < live || holds(&other, addr)) nearer(out, &other, addr);
    }
  } else if (addr >= XC_INPUTS && addr < XC_INPUTS_END) {
    for (u32 i = 0; i < XC_P->n_live; i++) {
      const struct xc_pointer *pointer = &XC_POINTERS[XC_LIVE[i]];
      other = (struct xc_object){pointer->own, pointer->size, XC_OBJ_INPUT, pointer->var, 0};
      nearer(out, &other, addr);
    }
  } else {
    u64 n = up_to(XC_SORTED_GLOBALS, XC_P->n_globals, addr);
    if (n) set_named(out, &XC_SORTED_GLOBALS[n - 1], XC_OBJ_GLOBAL);
    if (n < XC_P->n_globals) set_named(&other, &XC_SORTED_GLOBALS[n], XC_OBJ_GLOBAL), nearer(out, &other, addr);
  }
  if (out->kind != XC_OBJ_NONE && distance(out, addr) <= 4096) return 1;
  out->kind = XC_OBJ_NONE;
  return 0;
}
