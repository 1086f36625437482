/* Turns: one thread runs at a time, and the order says which.
 *
 * A thread runs until it comes to an operation that the order names, or to the one where it stood at the end, or until it ends. There it hands on:
 * to the thread that created it, which waits for that; else to the thread whose operation is next in the order. When the order is
 * used up, all run as they like: threads that wait for each other then really do.
 *
 * Invariant. Until then at most one thread runs, all others are held in wait_turn, and nobody is held for more than PATIENCE seconds in which
 * nothing happens: then the order could not be kept, and that is said. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include "../common/system.h"
#include "replay.h"

enum { PATIENCE = 2 };

__thread struct xcr_task *xcr_me;
u32 xcr_concurrent, xcr_free;
static u32 at;                            /* the next step of the order */
u32 xcr_handed;                           /* how often somebody handed on */
static struct xcr_task *creators[256];    /* those who wait for the first stop of a thread they created */
static u32 n_creators;
static u32 word;                          /* the lock: 0 free, 1 taken, 2 taken and somebody waits */

int xcr_sleep(u32 *on, u32 while_it_is, const struct timespec *until) {
  long operation = FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME | FUTEX_PRIVATE_FLAG;
  return system_call(SYS_futex, (long[6]){(long)on, operation, while_it_is, (long)until, 0, FUTEX_BITSET_MATCH_ANY}) != -ETIMEDOUT;
}

void xcr_wake(u32 *on) { system_call(SYS_futex, (long[6]){(long)on, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 0x7fffffff}); }

struct timespec xcr_after(long nanoseconds) {
  struct timespec time;
  system_call(SYS_clock_gettime, (long[6]){CLOCK_REALTIME, (long)&time});
  time.tv_nsec += nanoseconds;
  time.tv_sec += time.tv_nsec / 1000000000;
  time.tv_nsec %= 1000000000;
  return time;
}

void xcr_misuse(const char *kind, const char *what) {
  xcr_hold();
  fprintf(stderr, "replay: %s: %s\n", kind, what);
  abort();
}

void xcr_lock(void) {
  u32 free = 0;
  if (__atomic_compare_exchange_n(&word, &free, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return;
  while (__atomic_exchange_n(&word, 2, __ATOMIC_ACQUIRE)) xcr_sleep(&word, 2, 0);
}

void xcr_unlock(void) {
  if (__atomic_exchange_n(&word, 0, __ATOMIC_RELEASE) == 2) xcr_wake(&word);
}

static void let(struct xcr_task *task) {
  xcr_handed++;
  __atomic_store_n(&task->go, 1, __ATOMIC_RELEASE);
  xcr_wake(&task->go);
}

static void set_free(int kept) {
  if (xcr_free) return;
  if (kept) xcr_abreast();
  if (kept) fprintf(stderr, "replay: the order was kept\n");
  else fprintf(stderr, "replay: the order could not be kept (after %u of %u steps)\n", at, xcr_n_order);
  __atomic_store_n(&xcr_free, 1, __ATOMIC_RELEASE);
  for (u32 i = 0; i < xcr_n_tasks(); i++) let(xcr_task_at(i));
}

static void hand_on(void) {
  if (xcr_free) return;
  if (n_creators) return let(creators[--n_creators]);
  if (at == xcr_n_order) return set_free(1);
  struct xcr_task *next = xcr_task_at(xcr_order[at].task);
  if (next->parked && next->stop == xcr_order[at].hook) return let(next);
  set_free(0);
}

static void wait_turn(struct xcr_task *me) {
  while (!me->go && !xcr_free) {
    u32 seen = xcr_handed;
    struct timespec until = xcr_after(PATIENCE * 1000000000l);
    xcr_unlock();
    int in_time = xcr_sleep(&me->go, 0, &until);
    xcr_lock();
    if (!in_time && seen == xcr_handed && !me->go) set_free(at == xcr_n_order);
  }
  me->go = 0;
}

static void next_stop(struct xcr_task *task) {
  task->stop = task->at < task->n_steps ? xcr_order[task->steps[task->at]].hook : task->waits;
}

int xcr_turn(u32 *arm) {
  struct xcr_task *me = xcr_me;
  if (!me || XCR_LIKELY(++me->hooks != me->stop) || xcr_free) return 0;
  xcr_lock();
  me->parked = 1;
  hand_on();
  wait_turn(me);
  me->parked = 0;
  int ordered = !xcr_free;
  if (ordered) {
    *arm = xcr_order[at++].arm;
    me->at++;
    next_stop(me);
  }
  xcr_unlock();
  return ordered;
}

static void turn(void) {
  u32 arm;
  xcr_turn(&arm);
}

/* What the compiler puts before accesses, and around atomic operations. */
void xcr_access(u64 at_byte, u32 bytes, u32 write) {
  if (!xcr_concurrent) return;
  int races = xcr_me && XCR_UNLIKELY(xcr_me->hooks + 1 == xcr_me->race);
  if (races) xcr_racing(at_byte, bytes, write);
  turn();
  if (races) xcr_raced();
}

void xcr_atomic_begin(u64 at_byte, u32 bytes, u32 operation, u64 expected) {
  (void)at_byte, (void)bytes, (void)operation, (void)expected;
  if (xcr_concurrent) turn();
}

void xcr_atomic_end(void) {}

/* What code does that has no hooks: it is called next. */
void xcr_outside_begin(u32 synchronises) { (void)synchronises; }
void xcr_outside_end(void) {}

void xcr_state(u32 object, u32 changes) {
  (void)object, (void)changes;
  if (xcr_concurrent) turn();
}

void xcr_given(u64 p, u32 writes) {
  (void)p, (void)writes;
  if (xcr_concurrent) turn();
}

void xcr_descriptor(u32 descriptor, u32 direction) {
  (void)descriptor, (void)direction;
  if (xcr_concurrent) turn();
}

void xcr_exception(u64 p) {
  (void)p;
  if (xcr_concurrent) turn();
}

void xcr_fence(u32 order) {
  (void)order;
  if (xcr_concurrent) turn();
}

int xcr_fork_begin(void) {
  xcr_lock();
  int held = !xcr_free && n_creators < sizeof creators / sizeof *creators;
  if (held) creators[n_creators++] = xcr_me;
  xcr_unlock();
  return held;
}

void xcr_fork_end(int held, int failed) {
  xcr_lock();
  if (held && failed) n_creators--;
  if (held && !failed) wait_turn(xcr_me);
  xcr_unlock();
}

void xcr_begin(struct xcr_task *task) {
  xcr_me = task;
  task->thread = pthread_self();
  next_stop(task);
}

void xcr_end(void) {
  if (!xcr_me) return;
  turn(); /* who asks whether it is over may come first */
  xcr_lock();
  xcr_me->ended = 1;
  hand_on();
  xcr_unlock();
  xcr_me = 0;
}

/* When the order was recorded it stopped here, and the others went on. */
void xcr_hold(void) {
  struct xcr_task *me = xcr_me;
  if (!me || me == xcr_fails || xcr_free) return;
  xcr_lock();
  hand_on();
  wait_turn(me);
  xcr_unlock();
}

__attribute__((constructor)) static void start(void) {
  xcr_read_order();
  xcr_free = !xcr_n_order;
  for (u32 i = 0; i < xcr_n_tasks(); i++)
    if (xcr_task_at(i)->waits != XCR_NEVER) xcr_free = 0;
  xcr_task_at(0)->created = 1;
  xcr_begin(xcr_task_at(0));
}
