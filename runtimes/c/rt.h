/* The runtime's inside: what its files offer each other. Hooks that instrumented code calls are in hooks.c.
 *
 * hooks.c     inline fast paths, linked into the subject as bitcode; they call the slow paths below
 * nodes.c     nodes, events, pins; concrete values with them
 * memory.c    shadow memory: loads, stores, copies, symbolic addresses, objects that may alias
 * address.c   accesses through symbolic addresses; blocks.c: whole blocks
 * inputs.c    the logical input map: xcute_input, types, fresh objects
 * heap.c      malloc family
 * objects.c   the map from address to object
 * poison.c    memory that must not be accessed: zones between objects, freed objects, left frames; the failure of whoever does
 * locals.c    objects on the stack
 * leaks.c     heap objects that can no longer be freed, at the end of a run
 * uninitialised.c  blank memory, the undefined bits of values, and the failure where they decide something
 * worker.c    main: the loop and the switch between its stack and the subject's
 * stop.c      all ways in which a run can end: outcomes, signals, exit, abort
 * frames.c    return addresses
 * reset.c     fresh globals, heap, stack, library state, descriptors and signal handlers for each run
 * sized.c     objects of symbolic size
 * jumps.c     the value of longjmp, and goto to a computed address
 * texts.c     texts that the library reads to their ends
 * beyond.c    what leaves the program for good, and what comes from outside
 * reach.c     memory that foreign code can come to
 * follow.c    every access to memory, for who asks for it
 * fork.c      processes and threads that the subject asks for
 * isolate.c   a process of its own for each run
 * threads.h   threads as fibers, and the files that make them
 * common/     what threads/ and replay/ share: time, futexes and C11's names
 * cxx.cpp     C++ only: exceptions that nobody catches, and the frames of libraries
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
#ifdef __cplusplus
#define _Noreturn [[noreturn]]
#endif
#define XC_WEAK __attribute__((weak)) /* functions of the C library that we define: the subject's own definition wins */

/* The subject may define memcpy and memset itself, instrumented: the runtime has its own. */
static inline void xc_copy(void *to, const void *from, u64 bytes) {
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}
static inline void xc_zero(void *at, u64 bytes) {
  __asm__ volatile("rep stosb" : "+D"(at), "+c"(bytes) : "a"(0) : "memory");
}

/* Calling protocol ([sen-marinov-agha-2006 §6]: push and pop, without a stack). The caller stores the handles of the arguments in XC->args[i], n_args,
 * and tag = the callee's address, right before the call; the callee's prologue reads args[i] if tag is its own address (else 0: it was
 * called by foreign code) and sets tag = 0. Before it returns, the callee stores XC->ret. The caller reads ret after the call if the
 * callee is instrumented; before calling foreign code it sets ret = 0. */

struct xc_arena;
struct xc_global { u64 base, size; };
struct xc_named { u64 base; u32 size, name; }; /* locals and globals; name: index in the instrumenter's table, with XC_ZONED and XC_EXPORTED */
#define XC_ZONED 0x80000000u
#define XC_EXPORTED 0x40000000u /* the same: code that is not the program's can name it */
struct xc_origin { u32 allocated[XC_ORIGIN], freed[XC_ORIGIN]; };

/* nodes.c */
u32 xc_node(u32 op, u32 width, u32 a, u32 b, u32 c, u64 k);   /* 0 when the table is full */
u32 xc_const(u32 width, u64 k);
void xc_nodes_reset(void); /* before each run, after n_nodes, n_events and n_aux were set to 1, 0 and 0 */
void xc_event(u32 kind, u32 site, u32 handle, u32 taken, u64 value);
void xc_pin(u32 site, u32 handle);      /* XC_EV_PIN, once for each handle and run */
void xc_unsupported(u32 index);         /* XC_EV_UNSUPPORTED, once for each index and run */

/* memory.c: shadow memory, for the other files of the runtime. */
void xc_shadow_set(u64 addr, u32 bytes, u32 handle, u64 v); /* the `bytes` bytes at addr are those of the node (8 * bytes wide); 0: concrete, namely v */
u32 xc_shadow_get(u64 addr, u32 bytes, u64 k);        /* what a load there gives; k is what memory holds */
void xc_shadow_copy(u64 to, u64 from, u64 bytes);     /* memmove's half: realloc and the like */
void xc_shadow_clear(u64 at, u64 bytes);
void xc_mark(u64 at, u64 bytes);                      /* the shadow of these bytes is about to be written */
int xc_dirty(u64 at, u64 bytes);                      /* whether some of it may be other than 0 */
void xc_follow_fill(u64 to, u32 hbyte, u64 byte, u64 bytes); /* follow.c: with XC_FLAG_FOLLOW only */
void xc_follow_event(u32 kind, u32 more, u32 site, u32 handle, u32 taken, u64 value);
void xc_memory_reset(void);                           /* after each run: clears the shadow pages that were used */

/* objects.c: the object that contains an address. */
#define XC_FREED_BIT (1ull << 63)   /* in the size of a heap object */
#define XC_REACHED_BIT (1ull << 62) /* the same, while leaks are looked for */
struct xc_object { u64 base, size; u32 kind; u32 var; /* input objects: the owning pointer variable; locals and globals: the name */ u32 index; };
struct xc_arena *xc_arena_of(u64 addr);              /* of this run; NULL: the address is in none */
int xc_object_of(u64 addr, struct xc_object *out);   /* 0: none. Freed heap objects are none */
int xc_object_near(u64 addr, struct xc_object *out); /* the same for failures: freed ones, those of left frames, and the nearest one too */
void xc_globals_zones(u64 from, u64 to);             /* poisons the zones of globals between the addresses */

/* poison.c: shadow of at least XC_POISON is poison; accesses to it are failures. */
#define XC_POISON 0xffffff00u
#define XC_BLANK 0xfffffef8u /* and seven more: uninitialised; the low three bits are those of the address */
enum { XC_POISON_ZONE = 1, XC_POISON_FREED = 2, XC_POISON_LEFT = 3, XC_POISON_SIZE = 4, XC_POISON_SIZE_BLANK = 5 /* sized.c */ };
enum { XC_ZONE = 32 /* bytes behind an object that are poisoned */, XC_MARKED = 1 << 16 /* at most this many bytes of an object are */ };
void xc_poison(u64 at, u64 bytes, u32 kind);
void xc_blank(u64 at, u64 bytes);                    /* uninitialised.c: this memory is fresh */
void xc_check(u64 at, u64 bytes, u32 access);        /* fails if some of the bytes is poisoned */
_Noreturn void xc_fail_access(u64 at, u64 bytes, u32 access, u32 check); /* at: the first wrong byte */
_Noreturn void xc_fail_bounds(const struct xc_object *object, u64 at, u64 bytes, u32 access); /* an access that misses this object */
int xc_in_text(u64 pc);                              /* frames.c: in the subject's executable */
u32 xc_frames(u32 *to, u32 most, u64 frame);         /* frames.c: the return addresses from this frame on; how many */
void xc_origin_of(u32 *origin, u64 frame);           /* frames.c: the same for XC_ORIGIN, of which a 0 ends fewer */
void xc_place(u32 *place, u64 frame);                /* frames.c: the same for XC_STEP_FRAMES, and if foreign code calls */
void xc_told_place(u64 frame);                       /* nodes.c: XC_EV_PLACE, of what the event before it is about */

/* leaks.c: ends the run if it lost memory; stack: from where on the stack still counts, 0: it does not. */
void xc_leaks(u64 stack);
int xc_root(u32 i, u64 *from, u64 *to);            /* reset.c: the i-th part of memory that outlives runs; 0: there are no more */
struct xc_arena *xc_arena_at(u32 i);               /* fiber.c: the i-th part of the heap in this run, or NULL */
int xc_stack_at(u32 i, u64 *from, u64 *to);        /* fiber.c: the i-th of the stacks in use, but for that which we are on */
int xc_own_at(u32 i, u64 *from, u64 *to);          /* thread_local.c: the i-th part of what threads that are left have for themselves */
_Noreturn void xc_fail_leak(u64 index, u64 count); /* stop.c: this heap object and others, count in all */

/* inputs.c. The instrumenter turns __xcute_input(at, size, name, N) into this; key indexes the table at inputs_at. Initialises size / (size of
 * the type) elements. */
void __xcute_input_typed(void *at, u64 size, const char *name, u32 key);
/* Input objects that exist in this run are those of pointers[i].live == XC->run; pointers are sorted by own address and by variable. */
struct xc_pointer { u64 own, size; u32 var; u32 type; /* of the pointer */ u32 live; u32 dirty; /* for memory.c; 0 at each start of a run */ };
void xc_make_own(u32 var); /* the pointer variable's own object exists from now on, whether or not something points to it */
struct xc_pointer *xc_pointer_at(u64 addr); /* the pointer variable whose object, live or not, contains addr; or NULL */

/* worker.c */
_Noreturn void xc_end(u32 outcome);  /* ends the run: back to the loop */
_Noreturn void xc_end_there(u32 outcome); /* the same; its frames are known */
void xc_full(void);                  /* nodes.c: nothing is recorded from now on */
_Noreturn void xc_fail_check(u32 check, u32 site, u64 addr);
_Noreturn void xc_fail_undefined(u32 check, const char *message);
_Noreturn void xc_fail_assert(const char *message);  /* XC_ASSERTED */
_Noreturn void xc_fail_abort(const char *message);   /* XC_ABORTED */
_Noreturn void xc_fail_uncaught(const char *message); /* XC_UNCAUGHT */
void xc_frame(u64 pc);                               /* adds a frame if it is the subject's */
void xc_walk(u64 frame);                             /* adds all from this one on */
void xc_walk_foreign(u64 sp, u64 frame);             /* the same if pc is in a library */
void xc_backtrace(void) __attribute__((weak));       /* adds all frames; in subjects with C++ */
void xc_open(u64 *opened, u64 to);   /* makes an arena usable up to `to`; beyond, wild accesses must fault */
void xc_map(void);                   /* maps everything at a fixed address but the shared block; malloc may come before main */
void xc_enter(u64 *save, u64 stack, void (*entry)(void)); /* calls entry on another stack; returns when xc_resume is called */
_Noreturn void xc_resume(u64 saved);
void xc_catch_signals(void);
void xc_save_state(void);            /* once, before the first run */
void xc_restore_state(void);         /* after each run */
void xc_heap_reset(struct xc_arena *arena);
void xc_clear_stack(u64 from, u64 to, u64 first); /* first: of its objects */
void xc_inputs_start(void);          /* once: variables of earlier processes */
void xc_inputs_learn(void);          /* before each run: variables that other processes met meanwhile */
void xc_isolated_run(void (*run)(void), void (*ring)(void));
void xc_inputs_reset(void);
void xc_globals_start(void);
void xc_run_at_exit(void);
void xc_end_children(void);

/* sized.c: objects of symbolic size. The key is the address of a heap object, or the number of the pointer variable that owns an input object. */
struct xc_sized { u64 key, proven; u32 size /* a handle; 0: it no longer is one */, site; };
enum { XC_SLOT = 1 << 14 /* the largest size that stays symbolic */ };
void xc_sized_add(u64 key, u32 size, u32 site);
struct xc_sized *xc_sized_of(u64 key);                      /* or NULL */
u64 xc_sized_now(const struct xc_sized *s);                 /* the size in this run */
int xc_sized_holds(struct xc_sized *s, u64 end, u32 site);  /* recorded: there are at least `end` bytes */
u32 xc_sized_within(const struct xc_sized *s, u32 offset, u32 bytes); /* the condition for an offset that is symbolic */
int xc_sized_touch(u64 p, u64 bytes, u32 poison);           /* 1: the access is good, and the poison is gone */
void xc_sized_choose(u64 key);                              /* decides the size of a heap object, if it is symbolic */
void xc_sized_nothing(void);                                /* decides whether an object is to have no bytes left */
void xc_sized_resize(u64 old);                              /* decides how much of the old object the new one holds */

/* beyond.c */
void xc_beyond_start(void);
void __xcute_lost(unsigned what); /* the low byte of an enum xc_lost */
int xc_is_stream(u64 p);          /* a FILE that models have made: foreign code finds nothing there */

enum { XC_STREAMS = 64, XC_CHILDREN = 32, XC_AT_EXIT = 64, XC_YES = 0x596573, XC_CHUNK = 1 << 20, XC_OBJECTS = 1 << 24 /* on the heap */ };

/* Heap arenas of threads but the first, by task; the first one's is that at XC_HEAP. */
#define XC_ARENAS 0xc40000000ull
#define XC_ARENA 0x700000ull
#define XC_ARENAS_END (XC_ARENAS + XC_TASKS * XC_ARENA)

enum { XC_RETS = 15, XC_BYVALS = 16, XC_VAS = 32 };

/* A part of the heap that one thread allocates from: memory from `first` to `end`, of which `top` is the first free byte and `open` the first that
 * cannot be accessed; its objects are those from n_first to n of XC_HEAP_OBJECTS, of at most `most`. */
struct xc_arena { u64 first, top, open, end, n_first, n, most; };
static inline int xc_in_heap(u64 at) {
  return (at >= XC_HEAP && at < XC_HEAP_END) || (at >= XC_ARENAS && at < XC_ARENAS_END);
}

/* The runtime's own state. Everything lies at fixed addresses between XC_PRIVATE and XC_INPUTS, mapped and zero from the start. */
struct xc_private {
  /* Calls, next to XC->args: further leaves of a returned aggregate, who returned them, sources of byval arguments, variadic arguments. */
  u64 returned;          /* the address of the instrumented function that returned last: an indirect call checks it */
  u32 rets[XC_RETS];     /* leaf i of the value just returned is rets[i - 1]; leaf 0 is XC->ret */
  u64 byval[XC_BYVALS];
  u64 n_va;
  struct xc_va { u32 handle, kind; u64 size, from; } va[XC_VAS];
  /* Objects on the stack: pushed to XC_STACK_OBJECTS at function entry; n_stack is restored at exits. Bases fall. All shadow of the stack
   * below the stack pointer is at stack_low or above. */
  u64 n_stack, stack_low, most_stack; /* no objects beyond most_stack */
  u32 jump;              /* jumps.c */
  u32 size_handle, size_site; /* of the call of an allocator that comes next; 0: its size is concrete */
  u64 stack_from, stack_to; /* the stack that we are on: that of the first thread, or a fiber's */
  /* heap.c, objects.c */
  struct xc_arena heap, *arena; /* of the first thread; of the one that runs */
  u64 n_globals;
  u32 exported; /* how many of them foreign code can name */
  u32 forks;    /* the construct that a call of fork is, if the program itself calls it; else XC_LOST_CHILD */
  u32 mapped;   /* the last run that mapped a file as shared memory */
  u32 inside;   /* 1 + the index of the foreign call that is under way and may call back; 0: there is none */
  /* inputs.c */
  u64 next_own, inputs_open;
  u32 n_pointers, n_live, n_walked, hint, n_interned;
  /* worker.c, stop.c, reset.c */
  u64 heap_limit;
  u64 loop_stack;             /* where the loop goes on when a run ends */
  u32 running;                /* XC_YES: a run is under way, a signal is the subject's. Not 1: a wild write shall not look like it */
  u32 is_child;               /* XC_YES: we are a process that the subject forked */
  u32 isolated;               /* XC_YES: this process was forked for one run */
  int runner;                 /* the process of the run, where it is another one */
  u32 no_forks;               /* how many of XC_CHILDREN are not allowed here */
  u32 lasting;                /* the subject called something whose effect on the process cannot be undone */
  u32 n_children, n_atexit, n_atexit_first, n_snapshots, flags, spin, waits;
  u64 snapshot_top, snapshots_open;
  /* beyond.c */
  u64 standard[2], streams[XC_STREAMS], n_streams;
  u32 touched;                /* the last run in which files held what the disk does not */
  u32 outside;                /* 1: something may have come from outside since endless.c looked */
  u32 endless;                /* 1: the run is in a loop that nothing leaves */
  int children[XC_CHILDREN];
  void (*at_exit[XC_AT_EXIT])(void);
};
#define XC_P ((struct xc_private *)XC_PRIVATE)
#define XC_STACK_OBJECTS ((struct xc_named *)0x61000000ull)   /* 1 Mi entries */
#define XC_SORTED_GLOBALS ((struct xc_named *)0x62000000ull)  /* 1 Mi entries */
#define XC_HEAP_OBJECTS ((struct xc_global *)0x63000000ull)   /* XC_OBJECTS entries; the top bit of size: freed */
#define XC_POINTERS ((struct xc_pointer *)0x73000000ull)      /* n_pointers of them */
#define XC_INTERNED ((u32 *)0x78000000ull)
#define XC_LIVE ((u32 *)0x7e000000ull)                        /* pointers live in this run, by position in XC_POINTERS: n_live of them */
#define XC_MEMORY_PRIVATE 0x80000000ull                       /* memory.c and nodes.c: to 0xa0000000 */
#define XC_ORIGINS ((struct xc_origin *)0xa0000000ull)         /* of heap objects, by index: 16 Mi entries */
#define XC_SNAPSHOTS 0xc0000000ull                            /* to XC_INPUTS */

/* Tables that the instrumenter adds to the subject. */
extern const struct xc_named xc_globals[];
extern const u64 xc_n_globals;
extern const u64 xc_functions[]; /* those of the program that may be called through pointers */
extern const u64 xc_n_functions;
extern const u64 xc_linked;      /* 1: with objects that are neither instrumented nor libraries of the language */
void xcute_harness(void); /* inputs, then the call of the entry function */
#endif
