/* The runtime's inside: what its files offer each other. Hooks that instrumented code calls are in hooks.c.
 *
 * hooks.c     inline fast paths, linked into the subject as bitcode; they call the slow paths below
 * nodes.c     nodes, events, pins; concrete values with them
 * memory.c    shadow memory: loads, stores, copies, symbolic addresses, objects that may alias
 * inputs.c    the logical input map: xcute_input, types, fresh objects
 * heap.c      malloc family, and the map from address to object
 * worker.c    main: the loop, resets, signals, outcomes
 *
 * Invariant. No mutable object of static storage outside struct xc_private (at XC_PRIVATE) and the shared block: a reset copies the
 * subject's .data and .bss back, and must not touch the runtime. */
#ifndef XCUTE_RT_H
#define XCUTE_RT_H
#include "wire.h"

#define XC ((struct xc_control *)XC_SHARED)
#define XC_NODES ((struct xc_node *)(XC_SHARED + XC->nodes_at))
#define XC_LIKELY(x) __builtin_expect(!!(x), 1)
#define XC_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define XC_COLD __attribute__((cold, noinline))

/* Calling protocol (CUTE section 6: push and pop, without a stack). The caller stores the handles of the arguments in XC->args[i], n_args,
 * and tag = the callee's address, right before the call; the callee's prologue reads args[i] if tag is its own address (else 0: it was
 * called by foreign code) and sets tag = 0. Before it returns, the callee stores XC->ret. The caller reads ret after the call if the
 * callee is instrumented; before calling foreign code it sets ret = 0. */

/* nodes.c */
u32 xc_node(u32 op, u32 width, u32 a, u32 b, u32 c, u64 k);   /* ends the run with XC_OUT_OF_TRACE when the table is full */
u32 xc_const(u32 width, u64 k);
void xc_event(u32 kind, u32 site, u32 handle, u32 taken, u64 value);

/* heap.c: the object that contains an address. */
enum xc_object_kind { XC_OBJ_NONE, XC_OBJ_HEAP, XC_OBJ_STACK, XC_OBJ_GLOBAL, XC_OBJ_INPUT };
struct xc_object { u64 base, size; u32 kind; u32 var; /* input objects: the owning pointer variable */ };
int xc_object_of(u64 addr, struct xc_object *out);

/* inputs.c */
void xc_input(void *at, u32 type, const char *name); /* the next root input */

/* worker.c */
_Noreturn void xc_end(u32 outcome);  /* ends the run: back to the loop */
_Noreturn void xc_fail_check(u32 check, u32 site, u64 addr);

/* Tables that the instrumenter adds to the subject. */
struct xc_global { u64 base, size; };
extern const struct xc_global xc_globals[];
extern const u64 xc_n_globals;
void xc_subject_entry(void); /* the harness: inputs, then the call of the entry function */
#endif
