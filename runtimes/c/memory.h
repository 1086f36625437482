/* What hooks.c, nodes.c, memory.c and address.c share: their state and their slow paths. */
#ifndef XCUTE_MEMORY_H
#define XCUTE_MEMORY_H
#include "rt.h"

enum xc_op {
#define XC_OP(name, number) XC_OP_##name = number,
#include "ops.def"
#undef XC_OP
};

/* A code names an operation in one word: the operator (or an enum xc_intrinsic), and the width of its operands. */
#define XC_CODE_OP(code) ((code) & 0xffffu)
#define XC_CODE_WIDTH(code) ((code) >> 16)
#define XC_MASK(width) ((width) >= 64 ? ~0ull : (1ull << (width)) - 1)

/* Intrinsics that are several nodes. The numbers are those of crates/xcute-c/src/instrument/intrinsics.rs. */
enum xc_intrinsic {
  XC_IN_SMAX = 1, XC_IN_SMIN, XC_IN_UMAX, XC_IN_UMIN, XC_IN_ABS, XC_IN_CTPOP, XC_IN_CTLZ, XC_IN_CTTZ, XC_IN_BSWAP, XC_IN_BITREVERSE,
  XC_IN_FSHL, XC_IN_FSHR, XC_IN_SADD_O, XC_IN_UADD_O, XC_IN_SSUB_O, XC_IN_USUB_O, XC_IN_SMUL_O, XC_IN_UMUL_O,
  XC_IN_SADD_SAT, XC_IN_UADD_SAT, XC_IN_SSUB_SAT, XC_IN_USUB_SAT, XC_IN_IS_FPCLASS, XC_IN_FMIN, XC_IN_FMAX
};

/* What address.c found out about the access that comes next. */
enum xc_plan_kind { XC_PLAN_PLAIN, XC_PLAN_ALIAS, XC_PLAN_TABLE };
struct xc_plan {
  u32 kind;
  u32 pointer;      /* ALIAS: handle of the pointer variable */
  u64 offset;       /* ALIAS: bytes from it */
  u32 index;        /* TABLE: handle of the address, as if the object could not move */
  u64 base, size;   /* TABLE: the object */
  u32 site;         /* TABLE: of decisions about it */
};

/* reach.c: the memory that foreign code came to in this run. */
struct xc_reaching {
  u32 run, call;         /* the run that all of this is about; the number of the call */
  u32 n_parts, n_kept, n_work;
  u32 lost;              /* 1: too much was to be looked at */
  u32 streams;           /* 1: this call comes to a stream of models */
  u64 words;             /* looked at so far */
};
#define XC_REACH_WORDS (1ull << 24)

enum { XC_PINS = 256, XC_TABLES = 8 };
/* endless.c: where a run that has used up its steps goes on, and the state that it may come back to: `used` bytes from `room`, 0 if there is none. */
struct xc_last {
  u32 run, on, n, full, back; /* on: the steps since then */
  u64 frame, pc, frames[XC_FRAMES];
  u64 room, used, at, sp, next_own;
  u64 differs, kept; /* where it was seen not to be the same, and the byte there that was kept */
  u64 steps, power, compared; /* since the state was taken; after how many another one is; bytes so far */
};

struct xc_memory {
  struct xc_plan plan;
  u32 n_dirty, next_table;
  u32 n_sized, sized_run; /* entries of XC_SIZED, of this run */
  u32 addressed; /* follow.c: 1 while an access through a computed address is under way */
  u32 stored_run; /* the last run that stored through an input pointer */
  struct xc_reaching reaching;
  struct { u32 run, handle; } pinned[XC_PINS];
  struct { u32 run, first, count, width; u64 base; } tables[XC_TABLES]; /* tables of this run that may serve again */
  struct xc_last last;
};
#define XC_M ((struct xc_memory *)XC_MEMORY_PRIVATE)
#define XC_OURS ((u64 *)0x80100000ull)         /* a bit for each 16 bytes below XC_SHARED: whether a function of xc_functions begins there */
#define XC_SIZED ((struct xc_sized *)0x81000000ull)
#define XC_DIRTY_BITS ((u64 *)0x82000000ull)   /* a bit for each page of shadow, that is for each KiB of memory: 8 MiB */
#define XC_LISTED_BITS ((u64 *)0x82800000ull)  /* the same: whether the page is one of the next line */
#define XC_DIRTY_PAGES ((u32 *)0x84000000ull)  /* the n_dirty pages that were written in this run */
#define XC_NULL_CHECKED ((u32 *)0x8c000000ull) /* by variable: the run in which its NULL check was recorded */
#define XC_SEEN ((u32 *)0x94000000ull)         /* by kind of event (8 bits) and index (20 bits): the run in which it was recorded */

#define XC_UNDEFINED_BITS ((u64 *)0x98000000ull) /* by node: which of its bits are, if its flags say that some are */
enum { XC_MASKED_NODES = 1 << 24 };

#define XC_LOW (0xfffffffffull)
#define XC_SHADOW_OF(addr) ((u32 *)(XC_SHADOW + (((u64)(addr) & XC_LOW) << 2)))

/* Slow paths are called from cold code within hot code: they save the registers, so that their callers need not. */
#define XC_SLOW __attribute__((cold, noinline, preserve_most))

/* nodes.c */
XC_SLOW u32 xc_bin_slow(u32 code, u32 ha, u32 hb, u64 a, u64 b, u64 r);
XC_SLOW u32 xc_un_slow(u32 code, u32 h, u64 r);
XC_SLOW u32 xc_fma_slow(u32 code, u32 ha, u32 hb, u32 hc, u64 a, u64 b, u64 c, u64 r);
XC_SLOW u32 xc_cast_slow(u32 op, u32 width, u32 h, u64 r);
XC_SLOW u32 xc_ite_slow(u32 width, u32 hc, u32 ht, u32 hf, u64 c, u64 t, u64 f);
XC_SLOW u32 xc_gep_slow(u32 hbase, u32 hindex, u64 base, u64 index, u64 scale);
XC_SLOW u32 xc_wide_slow(u32 code, u32 ha, u32 hb, const u64 *values, u64 r); /* values: a low, a high, b low, b high */
XC_SLOW u32 xc_wide(u32 h, u32 width, u64 low, u64 high);                     /* the handle, or that of the constant */
XC_SLOW u32 xc_intrinsic_slow(u32 code, u32 ha, u32 hb, u32 hc, const u64 *values, u64 r);
XC_SLOW u32 xc_concat_slow(u32 hlow, u64 low, u32 lowbits, u32 hhigh, u64 high, u32 highbits);
XC_SLOW void xc_br_slow(u32 h, u32 c, u32 site);
XC_SLOW void xc_sw_slow(u32 h, u64 v, u32 site);
XC_SLOW void xc_holds_slow(u32 kind, u32 h, u32 c, u32 site);
XC_SLOW void xc_div_slow(u32 code, u32 ha, u32 hb, u64 a, u64 b, u32 site);
void xc_out_of_fuel(void); /* endless.c */
/* Ends the run as one of no interest, unless `holds`. */
void __xcute_assume(int holds);
int xc_ring_alarm(void) __attribute__((weak)); /* single/clock.c */
XC_SLOW void xc_seen(u32 kind, u32 index);
XC_SLOW void xc_value_seen(u32 kind, u32 h, u32 index); /* if the value is symbolic */
u32 xc_make(u32 op, u32 width, u32 a, u32 b); /* two handles; k is computed */
int xc_first_pin(u32 handle);                 /* whether it was not pinned nor chosen in this run yet */

/* values.c */
void xc_choose(u32 site, u32 handle, u64 origin);

/* What a load gives (follow.c), instead of the load. */
static inline u32 xc_inner(u32 h) {
  while (XC_NODES[h].op == XC_OP_LOAD && XC_NODES[h].a) h = XC_NODES[h].a;
  return h;
}
/* The same without what was added to it that no input can change. */
static inline u32 xc_origin(u32 h) {
  for (;;) {
    const struct xc_node *node = &XC_NODES[h = xc_inner(h)];
    if (node->op != XC_OP_ADD || XC_NODES[node->b].flags & XC_SYMBOLIC) return h;
    h = node->a;
  }
}
/* The variable that a node VAR stands for, or one that was loaded and moved. */
static inline u32 xc_variable(u32 h) { return XC_NODES[xc_origin(h)].a; }

/* follow.c: only with XC_FOLLOWS */
void xc_follow_words(u32 kind, u32 more, u32 handle, u64 value, u64 word); /* the word in low and high */
u32 xc_follow_load(u64 p, u32 bytes, u32 inner, u64 r);       /* inner: the handle that it would be otherwise */
void xc_follow_store(u64 p, u32 bytes, u32 h, u64 v);
void xc_follow_equal(u32 h);
void xc_follow_pointer(u32 h, u32 site); /* the same of a pointer that may be an input */
void xc_follow_copy(u64 to, u64 from, u64 bytes);
void xc_follow_divisor(u32 width, u32 hb, u32 site);
void xc_follow_quotient(u32 op, u32 width, u32 ha, u32 hb, u64 a, u64 b, u32 site);
void xc_follow_lost(u32 what, u32 index);
XC_SLOW u32 xc_followed_load(u64 p, u32 bytes, u32 hp, u64 r);            /* hp: of the address */
XC_SLOW u32 xc_followed_load_planned(u64 p, u32 bytes, u64 r);
XC_SLOW void xc_followed_store(u64 p, u32 bytes, u32 h, u64 v);
XC_SLOW void xc_follow_enter(u64 base, u64 back, u64 self);
XC_SLOW void xc_follow_frame(u64 base);
XC_SLOW void xc_follow_local(u64 p, u64 size, u32 name);
XC_SLOW void xc_follow_address(u32 h);
XC_SLOW void xc_follow_byval(u64 at, u64 from, u64 bytes); /* it was copied already */
XC_SLOW void xc_follow_untold(u32 what, u32 index);

/* sized.c */
XC_SLOW void xc_size_slow(u32 ha, u64 a, u32 hb, u64 b, u32 site); /* an allocator is called next, with a * b bytes */
XC_SLOW void xc_bound_slow(u32 hp, u32 hbytes);        /* the input object of this pointer has this many bytes */

/* memory.c */
XC_SLOW u32 xc_load_slow(u64 p, u32 bytes, u64 r);
XC_SLOW void xc_store_slow(u64 p, u32 bytes, u32 h);
XC_SLOW u32 xc_load_wide(u64 p, u32 bytes, u32 width, u64 low, u64 high);
XC_SLOW void xc_store_wide(u64 p, u32 bytes, u32 h, u32 width, u64 low, u64 high);
void xc_checked_copy(u64 to, u64 from, u64 bytes); /* memmove's half, if both blocks may be accessed */
u64 xc_peek(u64 at, u32 bytes);
void xc_va_start(u64 list, const struct xc_va *va, u64 count);

/* reach.c: before foreign code is called. How is what it does with memory; index: of the call, or of the construct. */
enum {
  XC_REACH_DEEP = 1,       /* it follows the pointers that it finds */
  XC_REACH_WRITES = 2,
  XC_REACH_KEEPS = 4,      /* later calls may come to the same memory */
  XC_REACH_CONSTRUCT = 8,  /* it is not a function: the index is one of unsupported constructs */
  XC_REACH_FIRST = 16      /* nothing was said about this call before */
};
XC_SLOW void xc_reach(u64 p, u32 index, u32 how);          /* p: an argument */
XC_SLOW void xc_reach_back(u32 index, u32 how);            /* it looks at what earlier calls have kept */
XC_SLOW void xc_reach_returned(u32 inside);                /* a function returns that foreign code called */
void xc_linked_pointer(u64 p);

/* uninitialised.c */
void xc_forget(u64 at, u64 bytes);                        /* no longer poisoned, no longer blank */
u32 xc_undefined_node(u64 at, u32 bytes, u64 value);      /* a load of blank memory */
XC_COLD void xc_undefined(u32 h);                         /* some operand of the new node is undefined: which bits of it are? */
XC_COLD _Noreturn void xc_fail_uninitialised(u32 h, u32 access);
#define XC_FOLLOWS XC_UNLIKELY(XC->flags & XC_FLAG_FOLLOW)
static inline u32 xc_is(u32 h, u32 flag) { return XC_NODES[h].flags & flag; }

/* shared.c, spin.c, section.c, assumed.c, outside.c: accesses while there are threads */
XC_SLOW void xc_access_slow(u64 at, u64 bytes, u32 access);           /* XC_READ, XC_WRITE or XC_FREE */
XC_SLOW void xc_atomic_slow(u64 at, u32 bytes, u32 op, u64 expected); /* enum xc_operation */
XC_SLOW void xc_fence_slow(u32 flags);
XC_SLOW void xc_outside_slow(u64 at, u64 bytes, u32 how);
XC_SLOW void xc_outside_begin(u32 synchronises);
XC_SLOW void xc_outside_end(void);
XC_SLOW void xc_given_slow(u64 p, u32 how);
XC_SLOW void xc_descriptor_slow(u32 descriptor, u32 direction);
XC_SLOW void xc_exception_slow(u64 p);
XC_SLOW void xc_section_begin(void);
XC_SLOW void xc_section_end(void);
XC_SLOW void xc_again(u32 holds);
void xc_ahead_stop(void); /* if the current fiber looks ahead, it goes back and reads by steps */
XC_SLOW void xc_spin_begin(void);
XC_SLOW void xc_spin_end(void);

/* locals.c */
XC_SLOW void xc_local(u64 p, u64 size, u32 name, u32 left); /* left: bytes of the zone before it; 0: it has no zones */
XC_SLOW void xc_leave(u64 n);                               /* all objects but the first n are gone */
XC_SLOW void xc_foreign_stack(u64 sp);

/* address.c: accesses through symbolic addresses. base is the pointer that the address was computed from. */
struct xc_access { u64 p, base; u32 hp, hbase, bytes, site, write; };
int xc_is_simple(u32 h, u32 *pointer, u64 *offset); /* whether it is a pointer variable and a constant */
void xc_plan(const struct xc_access *access, int exact);
XC_SLOW void xc_plan_slow(const struct xc_access *access);
XC_SLOW u32 xc_load_planned(u64 p, u32 bytes, u64 r);
XC_SLOW void xc_store_planned(u64 p, u32 bytes, u32 h, u64 v);
XC_SLOW void xc_target_slow(u32 h, u64 v, u32 site);

/* jumps.c */
XC_SLOW void xc_goto_slow(u32 h, u64 v, u32 site, const u64 *labels, u32 n);
XC_SLOW u32 xc_landing_slow(u64 r);

/* texts.c */
XC_SLOW void xc_text(const struct xc_access *access, u64 most);

/* blocks.c */
XC_SLOW void xc_block_slow(const struct xc_access *at, u64 bytes, u32 hbytes);
XC_SLOW void xc_copy_slow(const struct xc_access *to, const struct xc_access *from, u64 bytes, u32 hbytes);
XC_SLOW void xc_fill_slow(const struct xc_access *to, u32 hbyte, u64 byte, u64 bytes, u32 hbytes);
#endif
