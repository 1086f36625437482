/* Threads as fibers: what the files about threads offer each other.
 *
 * fiber.c     fibers: their stacks, switches between them, how each one begins and ends
 * tasks.c     the numbers of tasks
 * schedule.c  who runs next: the plan, the sleep set, the default
 * finish.c    the ways in which threads, and runs with threads, end
 * conflict.c  which operations can run, and which of them conflict (as crates/xcute-race/src/object.rs)
 * sync.c      the objects of synchronisation of this run, by address
 * shared.c    which memory more than one thread has touched: accesses to it are steps
 * spin.c      loops that only wait
 * assumed.c   assumptions that wait for other threads
 * section.c   atomic sections
 * outside.c   what code that is not instrumented does
 * late.c      operations with a time limit
 * threads/    the functions of pthread.h and the like; linked only into programs that can create threads, so that all others keep those of
 *             the C library
 *
 * All threads run on the one thread of the process, so that nothing in here needs locks: between two calls of xc_visible only one fiber
 * runs. A function of a primitive looks like this: check its arguments; xc_visible(operation ...), which returns when it is this fiber's turn; then
 * change the state of the objects, without any further scheduling point, and return.
 *
 * Hooks are counted (xc_step.hook) for each fiber: every call of xc_visible (also where it is not a step because no run is under way), and every
 * xch_access or atomic operation while XC->concurrent, whether or not it is a step.
 *
 * Invariant. What tasks own is at addresses that depend on nothing but the number of the task: the fiber (its address is the pthread_t), its
 * stack, its heap arena. Nothing of a fiber counts unless its `run` is XC->run. */
#ifndef XCUTE_THREADS_H
#define XCUTE_THREADS_H
#include "rt.h"

/* Stacks of threads: slots with an unmapped guard below each. As the heap arenas they lie in the part of memory that has shadow. */
#define XC_FIBER_STACKS 0x840000000ull
#define XC_FIBER_SLOT 0x1000000ull      /* from one stack to the next: the lower half is the guard */
#define XC_FIBER_STACK 0x800000ull      /* as much as threads have by default */
#define XC_FIBER_STACKS_END (XC_FIBER_STACKS + XC_TASKS * XC_FIBER_SLOT)
/* Copies of the executable's thread-local variables, by task. */
#define XC_TLS_BLOCKS 0xe00000000ull
#define XC_TLS_BLOCK 0x100000ull
#define XC_TLS_BLOCKS_END (XC_TLS_BLOCKS + XC_TASKS * XC_TLS_BLOCK)
/* The runtime's own memory for threads, mapped if XC->threads_at. */
#define XC_THREADS_PRIVATE 0x180000000000ull
#define XC_T ((struct xc_threading *)XC_THREADS_PRIVATE)
#define XC_FIBERS ((struct xc_fiber *)(XC_THREADS_PRIVATE + 0x100000))       /* XC_TASKS, by task */
#define XC_SYNCS ((struct xc_sync *)(XC_THREADS_PRIVATE + 0x1000000))        /* XC_SYNC_OBJECTS */
#define XC_SYNC_SLOTS ((struct xc_slot *)(XC_THREADS_PRIVATE + 0x2000000))   /* 2 * XC_SYNC_OBJECTS */
#define XC_TASK_SLOTS ((u16 *)(XC_THREADS_PRIVATE + 0x3000000))              /* 2 * XC_TASKS */
#define XC_FIBER_KEYS (XC_THREADS_PRIVATE + 0x6000000)                       /* key.c: for each task XC_KEYS values of XC_KEY_BYTES */
#define XC_FIBER_ENDS (XC_THREADS_PRIVATE + 0x4000000)                       /* key.c */
#define XC_TLS_IMAGE (XC_THREADS_PRIVATE + 0x5000000)                        /* thread_local.c */
#define XC_FIBER_OBJECTS (XC_THREADS_PRIVATE + 0x10000000)                   /* of each task's stack: XC_LOCALS entries of struct xc_named */
#define XC_THREADS_PRIVATE_END (XC_THREADS_PRIVATE + 0x20000000)
enum { XC_SYNC_OBJECTS = 1 << 16, XC_LOCALS = 1 << 14, XC_SPINS = 8, XC_KEYS = 128, XC_KEY_BYTES = 16 };
/* The objects on a task's stack are those of XC_STACK_OBJECTS from this one on; the entry before it ends searches. */
static inline u64 xc_first_local(u64 task) { return (XC_FIBER_OBJECTS - (u64)XC_STACK_OBJECTS) / sizeof(struct xc_named) + task * XC_LOCALS + 1; }

#define XC_THREADS ((struct xc_threads *)(XC_SHARED + XC->threads_at))

enum xc_fiber_state {
  XC_FIBER_RUNS = 1,  /* the current one, and those that wait for a child to come to its first operation */
  XC_FIBER_READY,     /* it has announced `next` */
  XC_FIBER_EXITS,     /* it called exit, or is the first thread and returned: it goes on when nobody else can */
  XC_FIBER_ENDED,
  XC_FIBER_FAILED     /* it will never go on; it keeps what it has */
};

struct xc_sync;
struct xc_fiber {
  u32 run, task, state;
  u32 asleep;            /* it is in the sleep set */
  u64 priority;          /* policy.c; 0: to be drawn */
  u32 depth;             /* of its fork path */
  u64 sp;                /* of a fiber that does not run */
  struct xc_next next;
  u32 next_hook;         /* the number of that hook */
  u32 arm;               /* the scheduler's answer */
  u32 hooks, forks;      /* this many so far */
  u32 frames[XC_STEP_FRAMES]; /* where `next` stands */
  struct xc_fiber *starter;   /* it waits until this fiber has come to its first operation; or NULL */
  void *(*start)(void *);
  void *argument, *result;
  u32 detached, joined, over; /* the last: a word that who asks for the end reads */
  /* Conditions (and all else with waiters): what it waits for, until somebody takes it off the list. */
  struct xc_sync *waits;
  struct xc_fiber *next_waiter;
  /* What a switch saves. */
  u64 tag, returned, n_va, n_stack, stack_low, inside;
  u32 ret, size_handle, size_site;
  u32 rets[XC_RETS];
  int error_number;
  u64 exceptions[2];
  void *once[2];         /* what std::call_once calls */
  struct xc_arena heap;
  u32 argument_handle, result_handle; /* of symbolic values */
  /* spin.c: what it has read in this round of a loop that only waits. */
  u32 spins, n_spin, spin_writes; /* the last: an atomic operation of the round may have written */
  struct xc_spin { u64 at, value; u32 bytes; u16 op, flags; u32 hook, frames[XC_STEP_FRAMES]; } spin[XC_SPINS], await; /* flags: of the operation */
  /* assumed.c: the registers where a condition begins to be computed that is assumed, and the hooks so far; it looks ahead; it has announced what it
   * saw, whose digest is `seen`. */
  u64 point[8], seen;
  u32 point_set, hooks_before, ahead, looked;
  /* section.c: how deep it is in atomic sections; how many steps it made in the outermost one; its beginning is still to be announced, and the number
   * of that hook. */
  u32 section, section_steps, begins, begin_hook;
  u32 wrote;             /* 1 + its last step, if that may have written memory and `after` is not noted yet */
  u32 last_step, outside; /* 1 + its last step; it has called code that is not instrumented before the first */
  /* threads/cancel.c, threads/key.c. All is 0 when a fiber begins. */
  u32 cancel_disabled, cancel_asynchronous, cancelled, n_keys; /* n_keys: the first this many of XC_FIBER_KEYS are set */
  u32 roused, unwound;   /* it was woken to be cancelled; its stack was unwound */
  u64 cancel_waits;      /* the condition that it waits for, XC_CANCEL_TRIES if it is blocked in something else, 0 */
  u64 unwind[6];         /* cleanup.c: the exception that unwinds its stack */
  u32 timeouts, spurious; /* this many in this run */
  u64 clock, looks;      /* clock.c: its time in nanoseconds since the run began; how often it looked */
  void *cleanup;
  u64 thread_local_at;   /* its copy of the executable's thread-local variables; 0: none yet */
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
  u32 n_order, n_made;
  u32 n_unjoined;        /* ended, and nobody has joined them: XC->concurrent stays 1 */
  u32 n_syncs;
  u32 next_choice, n_asleep;
  u64 random;            /* policy.c */
  u32 kept;              /* the outcome that the run has so far: enum xc_outcome, or XC_RUNNING */
  u32 ignored;           /* a thread failed, and it does not count */
  u64 kept_what;         /* if that is a failure: a digest of it */
  u32 steps_left;        /* after that */
  u32 first_shared;      /* the number of shared ranges when the run began */
  u32 shared_known, tasks_known;
  u32 n_pages;           /* of the owner map that were written in this run */
  u32 current;           /* the task of the last step */
  struct xc_fiber *holder; /* who is in an atomic section: nobody else runs while it can */
  struct xc_fiber *exits; /* who called exit, or is main and returned */
  u16 order[XC_TASKS];   /* the tasks of this run that have not ended, by fork path */
  u16 made[XC_TASKS];    /* all but the first thread, as they were created */
  u8 opened[XC_TASKS];   /* the stack is mapped; over all runs */
  u64 open[XC_TASKS];    /* the same for the arena: up to where */
};
struct xc_slot { u32 run, index; };

/* schedule.c. Announces an operation of the current fiber and returns, when it is its turn, the arm to take. bytes: of memory; `before` and the
 * arms of XC_DO_NOTIFY, of XC_DO_COMPARE_EXCHANGE and of semaphores are brought up to date by the scheduler (conflict.c). Outside of runs it
 * returns 0 at once. */
u32 xc_visible(u32 op, u64 object, u64 other, u64 before, u32 bytes, u32 arms, u32 flags);
u32 xc_announce(const struct xc_next *next, u64 frame);  /* the same without counting a hook; frame: from where on return addresses are the subject's */
u32 xc_announce_at(const struct xc_next *next, const u32 *frames, u32 hook); /* the same for what stands somewhere else */
struct xc_fiber *xc_pick(void);    /* who runs next; records the step. It does not return if nobody can */
void xc_fall_asleep(void);           /* the sleep set of the plan, from now on */
void xc_fork_step(struct xc_fiber *child);               /* records a fork */
void xc_note_written(struct xc_fiber *fiber);            /* what its last step wrote, before it does anything else */

/* conflict.c */
int xc_enabled(const struct xc_fiber *fiber, const struct xc_next *next);
void xc_refresh(struct xc_fiber *fiber);   /* before and arms of its next operation, as memory and objects are now */
int xc_conflict(const struct xc_next *a, const struct xc_next *executed, u32 arm);
/* policy.c: at random one of the n who do not sleep; n: all sleep. */
u32 xc_at_random(const struct xc_next *all, u32 n);

/* sync.c. Found or made by address and kind; ends the run if there are too many. Checks that the memory was not freed. */
struct xc_sync *xc_sync_of(u64 address, u32 kind);
struct xc_sync *xc_sync_at(u64 address, u32 kind);            /* the same without that check */
struct xc_sync *xc_sync_find(u64 address, u32 kind);          /* or NULL; without checks */
struct xc_sync *xc_share_of(u64 address, u32 task);  /* a counter (and more) for each pair of object and task: read locks */
void xc_waiter_add(struct xc_sync *sync);                     /* the current fiber, at the end */
struct xc_fiber *xc_waiter_take(struct xc_sync *sync, u32 k); /* the k-th, or NULL */
void xc_waiter_remove(struct xc_sync *sync, struct xc_fiber *fiber);

/* late.c */
enum { XC_LATE = 8 /* a flag of operations with a time limit: it is over when nobody else can run */, XC_TIMEOUTS = 3 /* late.h */ };
void xc_late(struct xc_next *next);  /* it gives up: from now on it can run */
int xc_time_passes(void);            /* nobody can run: lets time limits pass; whether somebody can now */

/* threads/cancel.c: around an operation at a cancellation point that may block for ever, and around a wait for a condition. */
enum { XC_CANCEL_TRIES = 1 };
void xc_cancel_point(void);
void xc_cancel_left(int given_up);       /* given_up: it goes on only to be cancelled */
int xc_cancel_begin(u64 condition);      /* whether it is cancelled already */
void xc_cancel_end(int now);

struct timespec;
void xc_clock_reach(const struct timespec *until); /* threads/clock.c: for the current fiber it is this time, or later */
u64 xc_thread_local(u64 p);                        /* thread_local.c: where the current fiber has the variable that the first thread has at p */

/* Misuse: XC_CHECK_UNLOCK, XC_CHECK_DESTROYED or XC_CHECK_JOIN. Like every failure it ends only this fiber. */
_Noreturn void xc_fail_sync(u32 check, const char *message);

/* assumed.c. The first two: where a condition that is assumed begins to be computed, 8 words for registers, and back to there. */
u64 *xc_point_room(void);
_Noreturn void xc_point_jump(const u64 *registers);
void xc_ahead_read(u64 at, u32 bytes, u32 op, u32 flags, u64 frame); /* it reads this while it does */
struct xc_next xc_ahead_next(const struct xc_spin *read);            /* the operation of such a read */
int xc_ahead_stale(const struct xc_fiber *fiber);   /* what it has announced is old */
void xc_look_again(struct xc_fiber *fiber);

/* outside.c */
u64 xc_descriptor_ready(u32 descriptor, u32 direction); /* direction 0: it can be read, 1: it can be written */

/* spin.c */
u64 xc_spin_value(const struct xc_fiber *fiber);  /* of the memory that XC_DO_AWAIT looks at: the value itself, or a digest of all that it reads */
void xc_spin_read(u64 at, u32 bytes);             /* the current fiber reads this now */
void xc_spin_next(struct xc_next *next);          /* it will: perhaps it waits */
void xc_spin_share(u64 at, u64 bytes);            /* shared.c: others are expected to write this */
void xc_spin_share_all(void);                     /* all that was read in this round is expected to be written */
void xc_spin_wait(u32 flags);                     /* the round is over: the next one begins when something of what it read has another value */

/* shared.c */
int xc_threads_map(void);                         /* all memory for threads; 0: there is none */
void xc_share(u64 at, u64 bytes);
int xc_shared(u64 at);                            /* whether the byte is */
void xc_shared_learn(void);
void xc_shared_reset(void);

/* tasks.c */
u32 xc_task_of(u32 parent, u32 nth);         /* XC_TASKS: there are too many */

/* finish.c */
_Noreturn void xc_finish(u32 end);           /* the run is over: enum xc_run_end */
void xc_keep(u32 outcome);                   /* what the shared block says now is what the run came to, unless it has come to something before */
struct xc_fiber *xc_nobody(void);            /* nobody can run: who exits goes on, or the run ends */
void xc_others_first(u32 outcome, int status);         /* the current fiber exits: returns when nobody else can run */
_Noreturn void xc_thread_stop(u32 outcome);  /* the current fiber failed */
_Noreturn void xc_fiber_leave(void);         /* it is done: destructors, the end */
void xc_threads_begin(void);                 /* a run */
void xc_threads_reset(void);                 /* after it */

/* fiber.c */
struct xc_fiber *xc_fiber_new(void *(*start)(void *), void *argument); /* or NULL */
void xc_fiber_start(struct xc_fiber *fiber); /* runs it up to its first operation */
void xc_fiber_switch(struct xc_fiber *to);   /* returns when somebody switches back */
_Noreturn void xc_fiber_jump(struct xc_fiber *to);  /* the current one will never run again */
void xc_fiber_ended(struct xc_fiber *fiber);
_Noreturn void xc_fiber_exit(void *result);  /* pthread_exit: cleanup handlers, destructors, the end */
/* threads/cancel.c, threads/key.c; called in this order when a fiber ends by returning or by xc_fiber_exit, on its own stack. */
void xc_cleanup_handlers(void) __attribute__((weak));
void xc_key_destructors(void) __attribute__((weak));
void xc_thread_over(void) __attribute__((weak)); /* thread.c: it ends now */
int xc_threads_running(void);  /* whether this is a run of a program with threads */

/* threads/mutex.c, for conditions: gives up all levels, or takes them again, without a step of its own. */
void xc_mutex_give(struct xc_sync *mutex, u32 *levels);
void xc_mutex_take(struct xc_sync *mutex, u32 levels);
/* The object of a mutex that is used: fails if it was destroyed. Its type is that of the memory. */
struct xc_sync *xc_mutex_of(u64 address);
#endif
