/* Locals that have an address: objects on the stack, their zones, and what is left of them when their function returns.
 *
 * Invariant. Below the stack pointer there is shadow only from stack_low upwards. Foreign code gets a stack without shadow: it may use that memory
 * as it likes and hand out pointers to it (qsort's buffer). */
#include "memory.h"

static u64 marked(u64 size) { return size < XC_MARKED ? size : XC_MARKED; }

/* Locals of one frame come in any order; XC_STACK_OBJECTS wants falling bases. Frames lie below each other, so only this frame's move. */
static void push(u64 p, u64 size, u32 name) {
  u64 i = XC_P->n_stack;
  if (i >= XC_P->most_stack) return;
  for (; i && XC_STACK_OBJECTS[i - 1].base < p; i--) XC_STACK_OBJECTS[i] = XC_STACK_OBJECTS[i - 1];
  XC_STACK_OBJECTS[i] = (struct xc_named){p, (u32)size, name};
  XC_P->n_stack++;
}

XC_SLOW void xc_local(u64 p, u64 size, u32 name, u32 left) {
  push(p, size, name);
  if (!left) {
    xc_shadow_clear(p, size);
    return;
  }
  xc_blank(p, size);
  xc_poison(p - left, left, XC_POISON_ZONE);
  xc_poison(p + size, XC_ZONE, XC_POISON_ZONE);
  if (p - left < XC_P->stack_low) XC_P->stack_low = p - left;
}

XC_SLOW void xc_leave(u64 n) {
  while (XC_P->n_stack > n) {
    const struct xc_named *object = &XC_STACK_OBJECTS[--XC_P->n_stack];
    xc_poison(object->base, marked(object->size), XC_POISON_LEFT);
  }
}

XC_SLOW void xc_foreign_stack(u64 sp) {
  if (sp < XC_P->stack_from || sp > XC_P->stack_to || XC_P->stack_low < XC_P->stack_from) return;
  if (XC_P->stack_low < sp) xc_shadow_clear(XC_P->stack_low, sp - XC_P->stack_low);
  XC_P->stack_low = sp;
}
