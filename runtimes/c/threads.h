/* Threads as fibers: what the files about threads offer each other.
 *
 * fiber.c     fibers: their stacks, switches between them, how each one begins and ends
 * schedule.c  who runs next: the plan, the sleep set, the default; steps, and the end of a run
 * conflict.c  which operations can run, and which of them conflict (as crates/xcute-race/src/object.rs)
 * sync.c      the objects of synchronisation of this run, by address
 * shared.c    which memory more than one thread has touched: accesses to it are steps
 * threads/    the functions of pthread.h and the like; linked only into programs that can create threads, so that all others keep those of
 *             the C library
 *
 * All threads run on the one thread of the process, so that nothing in here needs locks: between two calls of xc_visible only one fiber
 * runs. A function of a primitive looks like this: check its arguments; xc_visible(operation ...), which returns when it is this fiber's turn; then
 * change the state of the objects, without any further scheduling point, and return.
 *
 * Hooks are counted (xc_step.hook) for each fiber: every call of xc_visible (also where it is no step because no run is under way), and every
 * xch_access or atomic operation while XC->concurrent, whether or not it is a step.
 *
 * Invariant. What tasks own is at addresses that depend on nothing but the number of the task: the fiber (its address is the pthread_t), its
 * stack, its heap arena. Nothing of a fiber counts unless its `run` is XC->run. */
#ifndef XCUTE_THREADS_H
#define XCUTE_THREADS_H
#include "rt.h"

/* Stacks of threads: slots with an unmapped guard below each. Heap arenas. Both lie in the part of memory that has shadow. */
#define XC_FIBER_STACKS 0x840000000ull
#define XC_FIBER_SLOT 0x400000ull       /* from one stack to the next: the lower half is the guard */
#define XC_FIBER_STACK 0x200000ull
#define XC_FIBER_STACKS_END (XC_FIBER_STACKS + XC_TASKS * XC_FIBER_SLOT)
#define XC_ARENAS 0xa00000000ull
#define XC_ARENA 0x1000000ull
#define XC_ARENAS_END (XC_ARENAS + XC_TASKS * XC_ARENA)
/* The runtime's own memory for threads, mapped if XC->threads_at. */
#define XC_THREADS_PRIVATE 0x180000000000ull
#define XC_T ((struct xc_threading *)XC_THREADS_PRIVATE)
#define XC_FIBERS ((struct xc_fiber *)(XC_THREADS_PRIVATE + 0x100000))       /* XC_TASKS, by task */
#define XC_SYNCS ((struct xc_sync *)(XC_THREADS_PRIVATE + 0x1000000))        /* XC_SYNC_OBJECTS */
#define XC_FIBER_OBJECTS (XC_THREADS_PRIVATE + 0x10000000)                   /* of each task's stack: XC_LOCALS entries of struct xc_named */
enum { XC_SYNC_OBJECTS = 1 << 16, XC_LOCALS = 1 << 14 };

#define XC_THREADS ((struct xc_threads *)(XC_SHARED + XC->threads_at))

enum xc_fiber_state {
  XC_FIBER_RUNS = 1,  /* the current one, and those that wait for a child to come to its first operation */
  XC_FIBER_READY,     /* it has announced `next` */
  XC_FIBER_DYING,     /* it failed: `next` is the unlock of something that it has; others run it */
  XC_FIBER_EXITS,     /* it called exit, or is the first thread and returned: it goes on when nobody else can */
  XC_FIBER_ENDED
};

struct xc_sync;
struct xc_fiber {
  u32 run, task, state;
  u32 depth;             /* of its fork path */
  u64 sp;                /* of a fiber that does not run */
  struct xc_next next;
  u32 arm;               /* the scheduler's answer */
  u32 hooks, forks;      /* so many so far */
  u32 frames[XC_STEP_FRAMES]; /* where `next` stands */
  struct xc_fiber *starter;   /* it waits until this fiber has come to its first operation; or NULL */
  void *(*start)(void *);
  void *argument, *result;
  u32 detached, joined;
  /* Conditions (and all else with waiters): what it waits for, until somebody takes it off the list. */
  struct xc_sync *waits;
  struct xc_fiber *next_waiter;
  /* What a switch saves. */
  u64 tag, returned, n_va, n_stack, stack_low;
  u32 ret, size_handle, size_site, recording;
  u32 rets[XC_RETS];
  int error_number;
  u64 exceptions[2];
  /* threads/cancel.c, threads/key.c. All is 0 when a fiber begins. */
  u32 cancel_disabled, cancel_asynchronous, cancelled, n_keys;
  void *cleanup;
  u64 thread_local_at;   /* its copy of the executable's thread-local variables; 0: none yet */
  void *keys[128];       /* the first n_keys are set */
};

/* The fiber that runs. The first thread is fiber 0. Valid while a run is under way in a program with threads. */
#define XC_SELF (XC_T->self)

enum xc_sync_kind {
  XC_SYNC_MUTEX = 1, XC_SYNC_CONDITION, XC_SYNC_RWLOCK, XC_SYNC_BARRIER, XC_SYNC_SEMAPHORE, XC_SYNC_ONCE,
  XC_SYNC_SHARE /* what one task has of an object: see xc_share_of */
};

/* An object of synchronisation as it is in this run. All but the first two is 0 when it is met first: what static initialisers and *_init have
 * to say is in the subject's own memory, or is put here by *_init. */
struct xc_sync {
  u64 address;
  u32 kind, run;
  u32 type;              /* mutexes: PTHREAD_MUTEX_...; the others as they like */
  u32 owner;             /* 1 + the task that has the mutex, or writes under the rwlock; 0: nobody */
  u32 count;             /* mutexes: levels; rwlocks: readers; semaphores: permits; barriers: of how many */
  u32 initialised;       /* by *_init or first use in this run */
  u64 arrivals;          /* barriers: since the first use */
  u32 n_waiters;         /* conditions: those who wait and were not woken, in the order in which they began */
  u32 pad;
  struct xc_fiber *first_waiter, *last_waiter;
};

struct xc_threading {
  struct xc_fiber *self;
  u32 n_alive;           /* fibers of this run that have not ended */
  u32 n_order;
  u32 n_unjoined;        /* ended, and nobody has joined them: XC->concurrent stays 1 */
  u32 n_syncs;
  u32 next_choice, n_asleep;
  u32 kept;              /* the outcome that the run has so far: enum xc_outcome, or XC_RUNNING */
  u32 steps_left;        /* after that */
  u32 shared_known, tasks_known;
  u64 heap_used;         /* by all threads but the first */
  u32 current;           /* the task of the last step */
  u16 order[XC_TASKS];   /* the tasks of this run, by fork path */
  u16 asleep[XC_TASKS];
};

/* schedule.c. Announces an operation of the current fiber and returns, when it is its turn, the arm to take. bytes: of memory; `before` and the
 * arms of XC_DO_NOTIFY, of XC_DO_COMPARE_EXCHANGE and of semaphores are brought up to date by the scheduler (conflict.c). Outside of runs it
 * returns 0 at once. */
u32 xc_visible(u32 op, u64 object, u64 other, u64 before, u32 bytes, u32 arms, u32 flags);

/* conflict.c */
int xc_enabled(const struct xc_fiber *fiber, const struct xc_next *next);
void xc_refresh(struct xc_fiber *fiber);   /* before and arms of its next operation, as memory and objects are now */
int xc_conflict(const struct xc_next *a, const struct xc_next *executed, u32 arm);

/* sync.c. Found or made by address and kind; ends the run if there are too many. Checks that the memory is not freed: `bytes` of it. */
struct xc_sync *xc_sync_of(u64 address, u32 kind);
struct xc_sync *xc_share_of(u64 address, u32 task);  /* a counter (and more) for each pair of object and task: read locks */
void xc_waiter_add(struct xc_sync *sync);                     /* the current fiber, at the end */
struct xc_fiber *xc_waiter_take(struct xc_sync *sync, u32 k); /* the k-th, or NULL */
void xc_waiter_remove(struct xc_sync *sync, struct xc_fiber *fiber);

/* Misuse: XC_CHECK_UNLOCK, XC_CHECK_DESTROYED or XC_CHECK_JOIN. Like every failure it ends only this fiber. */
_Noreturn void xc_fail_sync(u32 check, const char *message);

/* fiber.c */
_Noreturn void xc_fiber_exit(void *result);  /* pthread_exit: cleanup handlers, destructors, the end */
/* threads/cancel.c, threads/key.c; called in this order when a fiber ends by returning or by xc_fiber_exit, on its own stack. */
void xc_cleanup_handlers(void) __attribute__((weak));
void xc_key_destructors(void) __attribute__((weak));
int xc_threads_running(void);  /* whether this is a run of a program with threads */

/* threads/mutex.c, for conditions: gives up all levels, or takes them again, without a step of its own. */
void xc_mutex_give(struct xc_sync *mutex, u32 *levels);
void xc_mutex_take(struct xc_sync *mutex, u32 levels);
/* The object of a mutex that is used: fails if it was destroyed. Its type is that of the memory. */
struct xc_sync *xc_mutex_of(u64 address);
#endif
