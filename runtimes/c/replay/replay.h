/* The inside of the replay runtime: what its files offer each other.
 *
 * A replay is the uninstrumented program with real threads and real locks. Only before accesses to memory and in synchronisation it calls in
 * here, and is held there until all that came before in the recorded order has happened.
 *
 * order.c      the recorded order, read at the start
 * turn.c       who may run: one thread at a time, until the order is used up
 * thread.c     threads get the names they had when the order was recorded; create, join, end
 * mutex.c      mutexes and spinlocks; rwlock.c, semaphore.c, barrier.c, once.c: the same for those
 * condition.c  condition variables
 * futex.c      what headers of C++ wait with
 * waiters.c    who waits for a condition or a word: a real signal wakes whom it likes
 * section.c    atomic sections; assumed.c: assumptions that are waits; leave.c: the end of the program
 * fail.c       ways to fail: who is not to fail is held there
 * heap.c       free
 * race.c       the two accesses of a data race
 * c11.c        <threads.h>; clock.c: the time that each thread had
 *
 * Invariant. Whoever is not held by the order does what the C library does. Nothing here is compiled with a sanitizer, and turns are handed on by
 * system calls alone: a sanitizer for threads sees the order of the program's own synchronisation and no other. */
#ifndef XCUTE_REPLAY_H
#define XCUTE_REPLAY_H
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <time.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;

#define XCR_LIKELY(x) __builtin_expect(!!(x), 1)
#define XCR_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define XCR_NEVER 0xffffffffu

/* A step of the order: the task's operation with this number is next, in this arm. */
struct xcr_step { u32 task, hook, arm; };

struct xcr_task {
  char *name;        /* its path of forks: 1, 1.1, 1.2.1 */
  u32 *steps;        /* its steps: positions in the order */
  u32 n_steps, at;   /* at: the next of them */
  u32 waits;         /* where it stood when the order ends; XCR_NEVER: it had ended */
  u32 hooks;         /* how many operations it came to */
  u32 stop;          /* the number of the one before which it is held next; XCR_NEVER: it is not held */
  u32 race;          /* the number of its access in a data race; 0: it has none */
  u32 forks;
  u32 parked;        /* it is held */
  u32 go;            /* a futex: it may go on */
  u32 created;       /* its creator has begun to create it, or it is the first */
  u32 ended;
  u32 joined, detached;
  u64 clock, looks;  /* clock.c */
  pthread_t thread;
};

/* order.c */
extern struct xcr_step *xcr_order;
extern u32 xcr_n_order;
extern struct xcr_task *xcr_fails; /* who is to fail; 0: nobody, as far as the order goes */
u32 xcr_task_named(const char *name); /* its index; it is made if it is new */
struct xcr_task *xcr_task_at(u32 index);
u32 xcr_n_tasks(void);
void xcr_read_order(void);

/* turn.c */
extern __thread struct xcr_task *xcr_me; /* 0: a thread that nobody knows */
extern u32 xcr_concurrent;     /* accesses count: there is more than one thread */
extern u32 xcr_handed;         /* how often somebody handed on */
extern u32 xcr_free;           /* the order is used up, or could not be kept: all run as they like */
int xcr_turn(u32 *arm);        /* counts an operation and waits until it is its turn. 1: the order says that it happens now; 0: nothing is known */
int xcr_fork_begin(void);      /* the creator steps back if the order holds it, ... */
void xcr_fork_end(int held, int failed); /* ... and goes on when the new thread was held for the first time, or ended */
void xcr_begin(struct xcr_task *task); /* the first thing that a new thread does */
void xcr_end(void);            /* the last thing that a thread does */
void xcr_hold(void);           /* a thread is about to fail: it waits if it is not the one that is to */
void xcr_leave(void);          /* leave.c: the program ends: the others may still do what they did */
int xcr_others(void);          /* whether a thread other than the caller's has not ended */
void xcr_section_leave(void);  /* section.c: the mutex of the caller's atomic section, if it is in one, is free, ... */
void xcr_section_enter(void);  /* ... and taken again */
int xcr_join(pthread_t thread, void **value, void *to, u32 bytes); /* thread.c: pthread_join; the result is an access to this many bytes there */
void xcr_lock(void);           /* the lock of all that is in here */
void xcr_unlock(void);
int xcr_sleep(u32 *futex, u32 while_it_is, const struct timespec *until); /* 0: the time is over; clock: CLOCK_REALTIME */
struct timespec xcr_after(long nanoseconds); /* from now on */
void xcr_access(u64 at, u32 bytes, u32 write); /* an access to memory comes next */
int xcr_timed_out(int error, const struct timespec *until); /* clock.c: the error; it is at least this late now */
void xcr_misuse(const char *kind, const char *what); /* says so, and aborts */
void xcr_wake(u32 *futex);
void xcr_release(void *at);    /* heap.c: free, which counts nothing */

/* waiters.c; under xcr_lock, but for the last. */
struct xcr_waiter { const void *on; u32 woken; struct xcr_waiter *next; };
void xcr_waiter_add(struct xcr_waiter *waiter);
void xcr_waiter_drop(struct xcr_waiter *waiter);
int xcr_waited(const void *on);                      /* whether somebody waits */
int xcr_waiter_wake(const void *on, u32 number);     /* the one with this number, from 0; whether there is one */
int xcr_waiter_sleep(struct xcr_waiter *waiter, const struct timespec *until); /* the second half of a wait; whether it was woken */

/* race.c */
void xcr_race(u32 which, struct xcr_task *task, u32 hook); /* this access is one of a data race: the order says so */
void xcr_racing(u64 at, u32 bytes, u32 write); /* the caller comes to it now */
void xcr_raced(void);          /* it is its turn */
void xcr_abreast(void);        /* all are held, and the order is used up */

/* The C library's own function, or that of a sanitizer, which is asked first. */
#define REAL(name) ({ \
  extern __typeof__(name) ___interceptor_##name __attribute__((weak)); \
  static __typeof__(&name) real_; \
  if (!real_) real_ = ___interceptor_##name ? ___interceptor_##name : (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
  real_; })

#endif
