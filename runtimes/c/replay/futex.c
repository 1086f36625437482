/* Futexes: std::future, std::atomic::wait and the like, and what a program does with them itself. Who waits is kept in waiters.c.
 *
 * Invariant. Counts are those of threads/futex.c. */
#define _GNU_SOURCE
#include <limits.h>
#include "replay.h"
#include "../common/futex.h"

/* 0, or an error number. Whoever changes the word does so before it wakes: the lock keeps that from being missed. */
static int park(u32 *word, u32 value, const struct timespec *until) {
  struct xcr_waiter waiter = {word, 0, 0};
  u32 arm;
  xcr_turn(&arm);
  xcr_lock();
  int waits = __atomic_load_n(word, __ATOMIC_SEQ_CST) == value;
  if (waits) xcr_waiter_add(&waiter);
  xcr_unlock();
  if (!waits) return EAGAIN;
  return xcr_waiter_sleep(&waiter, until) ? 0 : ETIMEDOUT;
}

/* How many were woken, at most this many. Threads that we do not know wait in the kernel. */
static long wake(u32 *word, u32 most) {
  u32 arm = 0;
  long woken = 0;
  if (most == INT_MAX) {
    xcr_turn(&arm);
    xcr_lock();
    while (xcr_waiter_wake(word, 0)) woken++;
    xcr_unlock();
  }
  while (most != INT_MAX && most--) {
    xcr_turn(&arm);
    xcr_lock();
    int any = xcr_waiter_wake(word, arm);
    xcr_unlock();
    if (!any) break;
    woken++;
  }
  xcr_wake(word);
  return woken;
}

static int is_ours(long number, const long *with, long *result) {
  int operation = (int)with[1] & FUTEX_CMD_MASK;
  u32 *word = (u32 *)with[0];
  if (number != SYS_futex || !xcr_me) return 0;
  const struct timespec *given = (const struct timespec *)with[3];
  struct timespec until = given && operation == FUTEX_WAIT ? xcr_after(given->tv_sec * 1000000000l + given->tv_nsec) : (struct timespec){0};
  switch (operation) {
    case FUTEX_WAKE: case FUTEX_WAKE_BITSET: *result = wake(word, (u32)with[2]); return 1;
    case FUTEX_WAIT: *result = with_errno(-park(word, (u32)with[2], given ? &until : 0)); return 1;
    case FUTEX_WAIT_BITSET: *result = with_errno(-park(word, (u32)with[2], given)); return 1;
    default: return 0;
  }
}

bool xc_futex_wait(void *self, u32 *word, u32 value, bool timed, int64_t seconds, int64_t nanoseconds) {
  struct timespec until = {seconds, nanoseconds};
  (void)self;
  return park(word, value, timed ? &until : 0) != ETIMEDOUT;
}

void xc_futex_wake(u32 *word) { wake(word, INT_MAX); }
