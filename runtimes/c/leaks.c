/* Leaks (--leaks): heap objects of this run that are neither freed nor reachable when it ends.
 *
 * Mark and sweep, conservative as LeakSanitizer is: every aligned word that holds an address within an object reaches it. Roots are the data of the
 * executable and of the libraries as far as they are restored after runs, the heap of before the run, input objects, the stack if the run
 * ends by exit, and those of threads that are left, with their thread-local variables and data by key.
 *
 * Invariant. XC_REACHED_BIT is set in no object before and after. */
#include "memory.h"

#define WORK ((u32 *)XC_UNDEFINED_BITS) /* free when the run is over */

static u64 reach(u64 n, u64 p) {
  struct xc_object object;
  const struct xc_arena *arena = xc_in_heap(p) ? xc_arena_of(p) : 0;
  if (!arena || p < arena->first || p >= arena->top || !xc_object_of(p, &object)) return n;
  struct xc_global *heap = &XC_HEAP_OBJECTS[object.index];
  if (heap->size & XC_REACHED_BIT) return n;
  heap->size |= XC_REACHED_BIT;
  WORK[n] = object.index;
  return n + 1;
}

/* The objects that words of this memory lead to are added to the n that are to be looked into. */
static u64 scan(u64 n, u64 from, u64 to) {
  for (from = (from + 7) & ~7ull; from + 8 <= to; from += 8) n = reach(n, *(const u64 *)from);
  return n;
}

/* Everything that these n objects lead to. */
static void close(u64 n) {
  while (n) {
    const struct xc_global *object = &XC_HEAP_OBJECTS[WORK[--n]];
    n = scan(n, object->base, object->base + (object->size & ~(XC_FREED_BIT | XC_REACHED_BIT)));
  }
}

static int is_lost(u64 i) { return !(XC_HEAP_OBJECTS[i].size & (XC_FREED_BIT | XC_REACHED_BIT)) && XC_ORIGINS[i].allocated[0]; }

/* How many objects are lost; the first of them. */
static u64 count(u64 *first) {
  u64 lost = 0;
  const struct xc_arena *arena;
  for (u32 a = 0; (arena = xc_arena_at(a)); a++)
    for (u64 i = arena->n_first; i < arena->n; i++)
      if (is_lost(i) && !lost++) *first = i;
  return lost;
}

void xc_leaks(u64 stack) {
  if (!(XC_P->flags & XC_FLAG_LEAKS) || XC_P->is_child == XC_YES) return;
  u64 n = 0, first = 0, from, to;
  const struct xc_arena *arena;
  for (u32 i = 0; xc_root(i, &from, &to); i++) n = scan(n, from, to);
  for (u32 i = 0; i < XC_P->n_live; i++) {
    const struct xc_pointer *input = &XC_POINTERS[XC_LIVE[i]];
    n = scan(n, input->own, input->own + input->size);
  }
  if (stack >= XC_P->stack_from && stack < XC_P->stack_to) n = scan(n, stack, XC_P->stack_to);
  for (u32 i = 0; xc_stack_at(i, &from, &to); i++) n = scan(n, from, to);
  for (u32 i = 0; xc_own_at(i, &from, &to); i++) n = scan(n, from, to);
  close(n);
  u64 lost = count(&first);
  /* Of a lost structure the one that leads to the others is reported, if there is such a one. */
  for (u32 a = 0; lost > 1 && (arena = xc_arena_at(a)); a++)
    for (u64 i = arena->n_first; i < arena->n; i++)
      if (is_lost(i)) close(scan(0, XC_HEAP_OBJECTS[i].base, XC_HEAP_OBJECTS[i].base + XC_HEAP_OBJECTS[i].size));
  count(&first);
  for (u32 a = 0; (arena = xc_arena_at(a)); a++)
    for (u64 i = arena->n_first; i < arena->n; i++) XC_HEAP_OBJECTS[i].size &= ~XC_REACHED_BIT;
  if (lost) xc_fail_leak(first, lost);
}
