/* Futexes, as the headers of libstdc++ use them: std::future, std::atomic::wait, std::latch and the like; and as a program may use them itself.
 *
 * As in the kernel a wait is two steps: it looks at the word and, if that has the value, joins those who wait for it; and it goes on when somebody
 * wakes it. A change of the word wakes nobody. Which of several waiters a call wakes is open, as with conditions.
 *
 * Invariant. A fiber is among the waiters of a word from its XC_DO_PARK until somebody wakes it, or its own XC_DO_RESUME. */
#define _GNU_SOURCE
#include <limits.h>
#include "late.h"
#include "common/futex.h"

/* 0, or an error number. */
static int park(u32 *word, u32 value, int timed) {
  u64 at = (u64)word;
  if (!xc_threads_running()) return 0;
  xc_sync_of(at, XC_SYNC_CONDITION);
  xc_visible(XC_DO_PARK, at, value, *word, sizeof *word, 1, 0);
  if (*word != value) return EAGAIN;
  struct xc_sync *queue = xc_sync_of(at, XC_SYNC_CONDITION);
  xc_waiter_add(queue);
  xc_visible(XC_DO_RESUME, at, 0, 0, 0, 1, !timed ? 0 : XC_SELF->timeouts < XC_TIMEOUTS ? XC_ALONE : XC_LATE);
  if (!XC_SELF->waits) return 0;
  xc_waiter_remove(queue, XC_SELF);
  return ETIMEDOUT;
}

/* How many were woken, at most this many. The word may be gone. */
static long wake(u64 at, u32 most) {
  long woken = 0;
  if (most == INT_MAX) {
    xc_visible(XC_DO_NOTIFY_ALL, at, 0, 0, 0, 1, 0);
    while (xc_waiter_take(xc_sync_at(at, XC_SYNC_CONDITION), 0)) woken++;
    return woken;
  }
  while (most--) {
    const struct xc_sync *queue = xc_sync_at(at, XC_SYNC_CONDITION);
    u32 arm = xc_visible(XC_DO_NOTIFY, at, 0, 0, 0, queue->n_waiters ? queue->n_waiters : 1, 0);
    if (!xc_waiter_take(xc_sync_at(at, XC_SYNC_CONDITION), arm)) break;
    woken++;
  }
  return woken;
}

/* A time limit of FUTEX_WAIT_BITSET is a moment, one of FUTEX_WAIT a length, which no clock shows. */
static int timed_out(int error, const struct timespec *until, int op) {
  if (error != ETIMEDOUT) return error;
  if (op == FUTEX_WAIT_BITSET) return xc_timed_out(error, until);
  XC_SELF->timeouts++;
  return error;
}

static int is_ours(long number, const long *with, long *result) {
  u64 word = (u64)with[0];
  int op = (int)with[1] & FUTEX_CMD_MASK;
  if (number != SYS_futex || XC_P->running != XC_YES || (word >= XC_SHARED && word < XC_SHARED + XC->size) || !xc_threads_running()) return 0;
  const struct timespec *until = (const struct timespec *)with[3];
  switch (op) {
    case FUTEX_WAKE: case FUTEX_WAKE_BITSET: *result = wake(word, (u32)with[2]); break;
    case FUTEX_WAIT: case FUTEX_WAIT_BITSET: *result = with_errno(-timed_out(park((u32 *)word, (u32)with[2], until != 0), until, op)); break;
    default:
      xc_unsupported(XC_LOST_FUTEX);
      *result = with_errno(-ENOSYS);
  }
  return 1;
}

bool xc_futex_wait(void *self, u32 *word, u32 value, bool timed, int64_t seconds, int64_t nanoseconds) {
  struct timespec until = {seconds, nanoseconds};
  (void)self;
  return timed_out(park(word, value, timed), &until, FUTEX_WAIT_BITSET) != ETIMEDOUT;
}

void xc_futex_wake(u32 *word) {
  if (xc_threads_running()) wake((u64)word, INT_MAX);
}
