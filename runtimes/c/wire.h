/* What the subject process and the engine share: one block of memory.
 *
 * The engine makes a memfd, the subject maps it at XC_SHARED (fixed, below 2 GiB, so that hooks use absolute addresses). The subject is
 * not trusted: the engine copies what it needs and checks every index. crates/xcute-c/src/wire.rs mirrors this file; a test has clang
 * compare offsets and sizes.
 *
 * Invariant. No pointers in here, only indices, fixed addresses and values. */
#ifndef XCUTE_WIRE_H
#define XCUTE_WIRE_H
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t i64;

#define XC_MAGIC 0x74756378u /* "xcut" */
#define XC_VERSION 1

/* Fixed addresses of the subject's address space (it is linked without PIE and runs without address randomisation). */
#define XC_SHARED 0x10000000ull      /* struct xc_control and the tables behind it */
#define XC_COVERAGE (XC_SHARED + 0x1000) /* coverage_at is always 0x1000: hooks store bytes at constant addresses */
#define XC_PRIVATE 0x60000000ull     /* the runtime's own mutable state: never in .data, so that resets do not touch it */
#define XC_INPUTS 0x100000000ull     /* input objects: each pointer variable owns one address for ever */
#define XC_INPUTS_END 0x200000000ull
#define XC_HEAP 0x200000000ull       /* malloc's arena, a bump allocator that restarts in each run */
#define XC_HEAP_END 0x600000000ull
#define XC_STACK 0x800000000ull      /* the subject's stack, XC_STACK_SIZE bytes; nothing is mapped for XC_GUARD bytes below it */
#define XC_STACK_SIZE 0x1000000ull
#define XC_GUARD 0x40000000ull
#define XC_SHADOW 0x100000000000ull  /* one u32 for each byte: shadow of addr at XC_SHADOW + 4 * (addr & (2^36 - 1)) */

enum { XC_ARGS = 512, XC_FRAMES = 64, XC_MESSAGE = 512, XC_ORIGIN = 4 };

/* Who may touch the block: the number only grows. Both sides spin briefly, then wait on the futex. */
enum xc_command {
  XC_CMD_RUN = 1, XC_CMD_QUIT = 2,
  XC_CMD_GLANCE = 3 /* a run whose inputs are concrete: it covers and fails as any run, and records nothing that inputs decide */
};

enum xc_outcome {
  XC_RUNNING = 0,      /* still so when the process died */
  XC_RETURNED = 1,
  XC_EXITED = 2,       /* exit(status) */
  XC_REJECTED = 3,     /* xcute_assume did not hold */
  XC_SIGNALLED = 4,    /* signal, fault_address, pc */
  XC_ASSERTED = 5,     /* assert or xcute_assert: message */
  XC_ABORTED = 6,      /* abort() */
  XC_OUT_OF_FUEL = 7,
  XC_OUT_OF_MEMORY = 8,
  XC_OUT_OF_TRACE = 9, /* the tables of threads are full */
  XC_CHECK_FAILED = 10, /* a check of ours failed concretely: check = enum xc_check, fault_address */
  XC_STACK_OVERFLOW = 11,
  XC_TIMED_OUT = 12,   /* the engine lost patience and sent XC_ALARM */
  XC_UNCAUGHT = 13,    /* an exception of C++ has no handler: message */
  XC_STUCK = 14        /* threads are left and none can run: the pending ones of struct xc_threads */
};

#define XC_ALARM 24 /* SIGXCPU: ends a run that takes too long */

enum xc_check {
  XC_CHECK_DIVISION = 1, XC_CHECK_DIV_OVERFLOW = 2, XC_CHECK_NULL = 3, XC_CHECK_BOUNDS = 4, XC_CHECK_UNREACHABLE = 5,
  XC_CHECK_FREED = 6,        /* access to memory that was freed */
  XC_CHECK_LEFT = 7,         /* access to a local of a function that has returned */
  XC_CHECK_DOUBLE_FREE = 8,
  XC_CHECK_INVALID_FREE = 9, /* of what is not the start of a heap object */
  XC_CHECK_UNINITIALISED = 10,
  XC_CHECK_LEAK = 11,
  /* Misused synchronisation, with a message. */
  XC_CHECK_UNLOCK = 12,      /* of what the thread does not have */
  XC_CHECK_DESTROYED = 13,   /* while in use, or used afterwards */
  XC_CHECK_JOIN = 14         /* a second time, of itself, or of a detached thread */
};
/* Undefined behaviour, with a message. */
enum xc_undefined { XC_CHECK_OVERFLOW = 32, XC_CHECK_SHIFT = 33, XC_CHECK_ALIGNMENT = 34, XC_CHECK_INDEX = 35, XC_CHECK_UNDEFINED = 36 };

enum xc_access_kind { XC_READ = 0, XC_WRITE = 1, XC_FREE = 2, XC_DECIDE = 3 /* a branch or switch */, XC_ADDRESS = 4 /* used as one */ };

/* Live state that hooks touch comes first: it stays in one or two cache lines. */
struct xc_control {
  i64 fuel;              /* decremented at loop heads and calls */
  u32 n_nodes;           /* node 0 is unused: handle 0 means concrete */
  u32 n_events;
  u32 n_aux;
  u32 recording;         /* 0 while the runtime or foreign code works */
  u32 ret;               /* handle of the value just returned (0: concrete); see rt.h for the protocol */
  u32 n_args;
  u32 concurrent;        /* 1: accesses to memory may be scheduling points; 0 before the first thread, and when all are joined */
  u32 pad0;
  u64 tag;               /* address of the function the args below are meant for */
  u32 args[XC_ARGS];

  u32 magic, version;
  u32 bell_subject;      /* futex: the engine rings after it wrote command and inputs */
  u32 bell_engine;       /* futex: the subject rings when the run is over */
  u32 subject_sleeps, engine_sleeps; /* set before a side sleeps on its bell: otherwise it spins and needs no wake-up call */
  u32 command;
  u32 run;               /* number of this run, from 1; an xc_var's value counts only if its stamp equals it */

  /* Budgets and options, written by the engine. */
  i64 fuel_limit;
  u64 heap_limit;        /* bytes */
  u32 max_nodes, max_events, max_aux, max_vars;
  u32 exact_object;      /* symbolic accesses to objects of at most this many bytes are exact */
  u32 default_string;    /* bytes of a char* input, the final NUL not counted */
  u32 flags;             /* XC_FLAG_* */
  u32 coverage_bytes;
  u64 seed;              /* of random defaults */
  u32 spin;              /* how many pauses a side waits at most before it sleeps */
  u32 engine_pid;

  /* Where the tables are, as byte offsets from the start of this block. */
  u64 nodes_at, events_at, aux_at, vars_at, coverage_at, types_at, fields_at, inputs_at, size;
  u64 threads_at;        /* struct xc_threads; 0: the subject has no threads */
  u32 max_decisions, pad1; /* decisions of a run beyond this are not recorded */
  u32 n_types, n_fields;
  u32 n_inputs;          /* inputs_at: for each key of an xcute_input call its type, a u32 */
  u32 ready;             /* written by the subject: XC_MAGIC when it waits for its first run, else an enum xc_start */

  /* Result. */
  u32 n_vars;            /* grows for ever: variables are interned */
  u32 outcome;
  u32 signal;
  u32 check;
  i64 status;            /* exit status; of a memory fault, bit 1: it was a write, bit 4: a jump */
  u64 fault_address;
  u64 pc;
  u32 n_frames;
  u32 site;              /* the site of a failed check */
  u32 n_decisions;       /* of this run, those that were not recorded included */
  u32 started;           /* the number of the run that began last: a process that is gone before it may have died of the run before */
  u32 full;              /* a table of this run is full, and nothing more is recorded */
  u32 open_end;          /* 1: its steps were used up, and no state came back: it may end later */
  u64 frames[XC_FRAMES]; /* return addresses, innermost first */
  char message[XC_MESSAGE];

  /* A memory error: the access, whose first wrong byte is at fault_address, and the object that it missed or should not have found. */
  u32 access;            /* enum xc_access_kind */
  u32 object_kind;       /* enum xc_object_kind; 0: no object is near */
  u32 object_name;       /* locals and globals: index in the instrumenter's table of names; input objects: the pointer variable */
  u32 object_freed;      /* 1: it was freed before, at `freed` */
  u64 access_bytes, object_base, object_size;
  u32 allocated[XC_ORIGIN], freed[XC_ORIGIN]; /* heap objects: return addresses, innermost first; 0 ends them */
};

enum xc_object_kind { XC_OBJ_NONE, XC_OBJ_HEAP, XC_OBJ_STACK, XC_OBJ_GLOBAL, XC_OBJ_INPUT };

enum xc_start { XC_START_NO_MEMORY = 1 /* a fixed address is taken or memory is short */, XC_START_TOO_BIG = 2 /* too much static data */,
                XC_START_NOTHING_MAPPED = 71 /* an exit code: there is not even the block to say it in */ };

enum {
  XC_FLAG_SNAPSHOT_LIBC = 1,    /* restore the data of the loaded libraries after each run */
  XC_FLAG_RANDOM_DEFAULTS = 2,  /* inputs without a value are random instead of 0 */
  XC_FLAG_SIGNALS = 4,          /* the subject may change signal handlers, masks or timers: restore them after each run */
  XC_FLAG_FILES = 8,            /* the subject may open or close descriptors: restore them after each run */
  XC_FLAG_OUTPUT = 16,          /* somebody reads its output: flush it after each run */
  XC_FLAG_FORK = 32,            /* each run in a process of its own */
  XC_FLAG_LEAKS = 64,           /* heap objects that can no longer be freed are a failure */
  XC_FLAG_FOLLOW = 256,         /* all memory is told of: see follow.c */
  XC_FLAG_UNIFORM = 512,        /* random inputs are uniform: no number is likelier than another */
  XC_FLAG_INITIALISED = 128     /* all memory counts as initialised: C++, whose library is not followed into every corner */
};

struct xc_node { u8 op; u8 flags; u16 width; u32 a; u32 b; u32 c; u64 k; };
enum { XC_SYMBOLIC = 1 /* depends on an input */, XC_UNDEFINED = 2 /* some bit is uninitialised */ };

struct xc_aux { u32 handle; u32 flags; /* first entry of a table: those of all elements */ u64 value; };

enum xc_event_kind {
  XC_EV_BRANCH = 1,   /* site, handle (width 1), taken 0 or 1: also selects */
  XC_EV_SWITCH = 2,   /* site, handle of the value, value; the engine knows the cases */
  XC_EV_CHECK = 3,    /* site, handle of "it holds" (width 1), taken 1 if it holds in this run; handle 0: it was checked before */
  XC_EV_ASSUME = 4,   /* site, handle, taken */
  XC_EV_PIN = 5,      /* site, handle, value: the run used this value of it from here on (an address beyond exact_object, a size) */
  XC_EV_INPUT = 6,    /* handle = variable id, value: initialised in this run */
  XC_EV_FOREIGN = 7,  /* site = index in the table of departures: foreign code is called that something symbolic can be seen by */
  XC_EV_UNSUPPORTED = 8, /* site = index in the table of unsupported constructs: a symbolic value was lost there */
  XC_EV_STALE = 9,    /* value = address: foreign code overwrote a symbolic value; it is concrete from here on */
  XC_EV_STEP = 10,    /* handle = index of the step that is executed next; every step has this event, in the order of steps */
  /* With XC_FLAG_FOLLOW (follow.c); low and high are the halves of a number, in site and taken. */
  XC_EV_LOAD = 11,    /* handle = a node LOAD: it happened now; more = 1: its address is subject to the XC_EV_EQUAL just before */
  XC_EV_STORE = 12,   /* value = address, more = bytes, handle = what is stored there, low and high = what was there */
  XC_EV_EQUAL = 13,   /* handle, value: all that comes is so only if the handle has this value; site: of the access whose address it is, or 0 */
  XC_EV_ENTER = 14,   /* value = base of the frame, site = return address, taken = the function */
  XC_EV_FRAME = 15,   /* value = base of the frame that goes on: frames below it are gone */
  XC_EV_TOUCH = 16,   /* value = address, more = bytes, low and high = what is there */
  XC_EV_COPY = 17,    /* value = to, low and high = from, handle = bytes; both were touched */
  XC_EV_BLANK = 18,   /* value = address, handle = bytes: uninitialised from here on */
  XC_EV_LOCAL = 19,   /* value = address, handle = bytes, site = row of its name */
  XC_EV_ALLOC = 20,   /* value = address of a heap object, low and high = bytes, handle: 1 if it is blank */
  XC_EV_FREE = 21,    /* value = address of a heap object */
  XC_EV_LOST = 22,    /* what happened cannot be told: taken = enum xc_untold, site = index */
  XC_EV_ASKED = 23,   /* site = key of an input, taken = how often it was asked for before */
  XC_EV_PLACE = 25,   /* value, handle, taken: up to four return addresses, innermost first, of where the event before happened; more = 1: further ones */
  XC_EV_MADE = 24     /* value = address of an input's object, handle = bytes: what is stored now was always there; more = 1: no longer */
};

enum xc_untold {
  XC_UNTOLD_CONSTRUCT = 0, /* site: as XC_EV_UNSUPPORTED */
  XC_UNTOLD_FOREIGN = 1,   /* site: as XC_EV_FOREIGN */
  XC_UNTOLD_SIZE = 2,      /* an object of symbolic size */
  XC_UNTOLD_VARIADIC = 3,  /* variable arguments */
  XC_UNTOLD_STACK = 4,     /* an object on the stack whose place is not always the same */
  XC_UNTOLD_BLOCK = 5      /* a block is too large */
};

/* more: for decisions, 1 if no input decides it (XC_FLAG_FOLLOW only). */
struct xc_event { u16 kind; u16 more; u32 site; u32 handle; u32 taken; u64 value; };

/* Reserved indices of XC_EV_UNSUPPORTED: values that the runtime itself loses. */
enum xc_lost { XC_LOST_THREAD = 0xffffff00u /* pthread_create failed */, XC_LOST_INPUT = 0xffffff01u /* an input that is not an integer, float or pointer */,
  XC_LOST_FILE = 0xffffff02u /* a file in memory is used in a way that is not modelled */,
  XC_LOST_FUTEX = 0xffffff03u /* a futex operation other than waiting and waking */,
  XC_LOST_REACH = 0xffffff04u /* foreign code can come to more memory than is looked at */,
  XC_LOST_CHILD = 0xffffff05u /* fork: the child is not followed */, XC_LOST_MEMORY = 0xffffff06u /* an allocation fails that is too large here */,
  XC_LOST_NAME = 0xffffff07u,      /* the name of a file is symbolic */
  XC_LOST_MAPPING = 0xffffff08u,   /* a file in memory is mapped and changed */
  XC_LOST_DIRECTORY = 0xffffff09u, /* a directory is looked at, and files in memory are not in it */
  XC_LOST_SIZE = 0xffffff0au,      /* a file in memory gets too large */
  XC_LOST_WIDE = 0xffffff0bu,      /* a stream in memory is read in a way that is not modelled */
  XC_LOST_BUFFERED = 0xffffff0cu,  /* text that was printed before its stream was redirected */
  XC_LOST_PROCESS = 0xffffff0du    /* another process cannot see what is in a pipe */
};

/* State that code which is not instrumented uses: abstract objects, at XC_OUTSIDE + 8 * number. */
enum xc_outside { XC_OUTSIDE_UNKNOWN, XC_OUTSIDE_FILES, XC_OUTSIDE_ENVIRONMENT, XC_OUTSIDE_RANDOM, XC_OUTSIDE_BUFFERS, XC_OUTSIDE_PROCESS };
#define XC_OUTSIDE 0x1800000a0000ull
/* How memory is given to such code: it may write it. */
enum { XC_GIVEN_WRITES = 1 };

/* Threads. A step is a visible operation that was executed. Tasks are named by numbers that stay the same for the whole campaign: task 0 is
 * the first thread, the others are interned by parent and by the number of the fork among those of the parent. */
enum { XC_TASKS = 1024, XC_STEP_FRAMES = 4, XC_LATER = 16 };

/* The operations of xcute_trace::Operation. object is an address: of memory (with bytes), of a mutex, and so on. */
enum xc_operation {
  XC_DO_READ = 1, XC_DO_WRITE, XC_DO_LOAD, XC_DO_STORE, XC_DO_UPDATE,
  XC_DO_COMPARE_EXCHANGE,  /* other = the value with which it succeeds; before = the value of the memory */
  XC_DO_LOCK, XC_DO_TRY_LOCK, XC_DO_UNLOCK,
  XC_DO_SEM_WAIT, XC_DO_SEM_TRY_WAIT, XC_DO_SEM_POST, /* before = the permits */
  XC_DO_READ_LOCK, XC_DO_TRY_READ_LOCK, XC_DO_READ_UNLOCK, XC_DO_WRITE_LOCK, XC_DO_TRY_WRITE_LOCK, XC_DO_WRITE_UNLOCK,
  XC_DO_WAIT,              /* object = the condition, other = the mutex */
  XC_DO_REACQUIRE,         /* the same; flags: XC_ALONE */
  XC_DO_NOTIFY,            /* arms = the number of waiters, at least 1 */
  XC_DO_NOTIFY_ALL,
  XC_DO_ARRIVE, XC_DO_PASS, /* other = arrivals that end its round, counted from the first use of the barrier */
  XC_DO_JOIN,              /* other = the task */
  XC_DO_YIELD,
  XC_DO_AWAIT,             /* a read that blocks while the memory has the value `other`: a loop that only waits; before = its value */
  XC_DO_FENCE,
  XC_DO_PARK,              /* a futex wait: the word at `object`, if it is `other`, is waited for; before = its value */
  XC_DO_RESUME,            /* its second half; flags: XC_ALONE */
  XC_DO_BEGIN              /* of an atomic section */
};
enum {
  XC_ALONE = 1,            /* it may wake up by itself: spuriously, or because a time has passed */
  XC_SPURIOUS = 2,         /* with XC_ALONE: for no reason. Threads that could only go on so are stuck */
  XC_DESTROYS = 4,         /* an XC_DO_UNLOCK that is really the end of the object, or an XC_DO_WRITE that is free() */
  /* 8: late.c */
  XC_UNSURE = 16,          /* an XC_DO_COMPARE_EXCHANGE of memory that is symbolic: it depends on the input whether it writes */
  XC_SECTION = 32,         /* in an atomic section, of which more may follow at once */
  XC_ACQUIRES = 64, XC_RELEASES = 128, XC_ACQUIRES_FAILED = 256, /* what an atomic operation or a fence orders; the last: a failed compare-exchange */
  XC_WEAKER = 512,         /* its order is weaker than sequential consistency */
  XC_ASSUMES = 1024,       /* an XC_DO_AWAIT: an assumption does not hold. Threads that could only go on so reject the run */
  XC_ELSEWHERE = 2048      /* it is code that is not instrumented which does it */
};
enum { XC_FULL_ORDER = XC_ACQUIRES | XC_RELEASES | XC_ACQUIRES_FAILED };

struct xc_next { u32 task; u16 op; u16 flags; u32 arms; u32 bytes; u64 object, other, before; };
struct xc_step {
  u32 first, count;  /* those who could run, in nexts_at, sorted by fork path */
  u32 chosen, arm;   /* which of them ran, and in which arm */
  u32 hook;          /* the number of this visible operation, or private access, among all of the task: it finds the place again in a replay */
  u32 frames[XC_STEP_FRAMES]; /* return addresses, innermost first; 0 ends them */
  u32 how;           /* XC_STEP_* */
  u64 after;         /* the value of the memory after it, if it may write at most 8 bytes of it */
};
enum {
  XC_STEP_GLUED = 1,   /* of the same atomic section as the step before */
  XC_STEP_OUTSIDE = 2, /* between it and its next step the task called code that is not instrumented, which may synchronise */
  XC_STEP_OUTSIDE_BEFORE = 4 /* the same before it; of the first step of a task only */
};
struct xc_fork { u32 step; /* how many steps were executed before */ u32 parent, child, start; /* the function of the child */ };
struct xc_task { u32 parent, nth; }; /* nth from 1 */
struct xc_range { u64 at; u64 bytes; }; /* memory that more than one thread has touched */
struct xc_choice { u32 task, arm; };
struct xc_later { u32 task; u32 step; /* how many steps were executed before */ u64 what; /* a digest of how and where it failed */ };
enum xc_default { XC_LOWEST = 0, XC_CURRENT = 1, XC_WALK = 2, XC_PCT = 3, XC_POS = 4 }; /* from XC_WALK on at random: see policy.c */
enum xc_run_end { XC_FINISHED = 0, XC_ASLEEP = 1, XC_CUT = 2 }; /* xcute_trace::End */

struct xc_threads {
  /* The engine's, before each run. choices_at: what to do at each step with more than one option (strict: at each step); behind them the
   * n_asleep tasks that sleep when the last of these choices is made, or from the start. */
  u32 n_choices, n_asleep;
  u32 choose;            /* enum xc_default */
  u32 spurious;          /* how often each wait may wake up by itself */
  u32 max_steps, max_nexts, max_forks, max_choices, max_shared;
  u32 changes;           /* XC_PCT: how often priorities change */
  u64 choices_at, steps_at, nexts_at, forks_at, tasks_at, shared_at; /* from the start of the block */
  u64 seed;              /* of random schedules */
  u32 expected;          /* XC_PCT: steps of a run */
  u32 strict;            /* 1: the choices are of all steps, not only of those with more than one option */
  u32 failing, pad;      /* 1 + the only task whose failure counts; 0: the first that fails */
  /* What only grows, over all runs and processes. Accesses outside of the shared ranges are not steps. */
  u32 n_tasks, n_shared;
  /* The result. The n_pending last of the nexts are what blocked threads wait for (after a cut: what all would do). Behind the n_steps steps
   * come n_pending more, one for each of these: its hook and frames tell where the thread stands; the rest is 0. */
  u32 n_steps, n_nexts, n_forks, n_pending;
  u32 end;               /* enum xc_run_end */
  u32 strayed;           /* 1 + the first choice that could not be made */
  u32 failed;            /* 1 + the task whose failure is the outcome; 0: nobody failed, or they are stuck */
  u32 n_later;           /* threads that failed after that one, each in its own way */
  struct xc_later later[XC_LATER];
};

/* A symbolic input. Identified by (parent, nth, type, offset, bit): parent is a variable of pointer type whose own object holds it, or
 * XC_ROOT | key for an input (argument of the entry function or xcute_input call): key is its place in the program and nth counts
 * how often the run came there before. A 128-bit integer is two variables. */
#define XC_ROOT 0x80000000u
struct xc_var {
  u32 parent;
  u32 type;      /* index in the type table: the leaf's type */
  u64 offset;    /* bytes from the start of the object; bit-fields: see bit */
  u16 bits;      /* width */
  u16 bit;       /* bit-fields: first bit within the byte at offset, else 0 */
  u32 stamp;     /* engine: value below is set for run `stamp` */
  u64 value;
  u64 own;       /* pointers: the address of its own object, else 0 */
  u32 nth;
  u32 pad;
};

enum xc_type_kind {
  XC_TY_INT = 1,      /* size; flags bit 0: signed. Also enums and char */
  XC_TY_BOOL = 2,
  XC_TY_FLOAT = 3,    /* size 4 or 8; other sizes stay concrete and are counted */
  XC_TY_POINTER = 4,  /* elem = type of the pointee; count = elements of the fresh object; flags: XC_PTR_* */
  XC_TY_STRUCT = 5,   /* fields [first, first + n) */
  XC_TY_UNION = 6,    /* as a struct; the front end lists only the member to initialise */
  XC_TY_ARRAY = 7,    /* elem, count */
  XC_TY_FUNCTION = 8, /* pointee of function pointers: fields list the candidate functions: offset = address */
  XC_TY_OPAQUE = 9    /* size bytes, each symbolic (void, incomplete types have size 0: the pointer stays NULL) */
};
enum { XC_SIGNED = 1, XC_PTR_STRING = 2 /* bytes, the last one NUL */, XC_PTR_FUNCTION = 4, XC_PTR_NONNULL = 8 };

struct xc_type { u8 kind; u8 flags; u16 pad; u32 elem; u64 size; u32 count; u32 first; u32 n; u32 pad2; };

struct xc_field { u64 offset; u32 type; u16 bit; u16 bits; }; /* bits = 0: not a bit-field */

#endif
