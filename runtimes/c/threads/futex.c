/* Futexes, as the headers of libstdc++ use them: std::future, std::atomic::wait, std::latch and the like.
 *
 * A wait for a word to change is a step that blocks while the word has its value; the atomic store that changes it lets it go on, so waking is no
 * step.
 *
 * Invariant. Waking is never the kernel's business while a run with threads is under way. */
#define _GNU_SOURCE
#include "late.h"
#include "common/futex.h"

/* Waits while the word is `value`; 0: the time is over. */
static int await(u32 *word, u32 value, int timed) {
  if (!xc_threads_running() || *word != value) return 1;
  if (timed && XC_SELF->timeouts < XC_TIMEOUTS) {
    xc_visible(XC_DO_LOAD, (u64)word, 0, *word, sizeof *word, 1, 0);
  } else {
    xc_await((u64)word, value, sizeof *word, timed ? XC_LATE : 0);
  }
  if (*word != value) return 1;
  XC_SELF->timeouts++;
  return 0;
}

static int is_ours(long number, const long *with, long *result) {
  u64 word = (u64)with[0];
  int op = (int)with[1] & FUTEX_CMD_MASK;
  if (number != SYS_futex || XC_P->running != XC_YES || (word >= XC_SHARED && word < XC_SHARED + XC->size) || !xc_threads_running()) return 0;
  *result = 1;
  if (op == FUTEX_WAKE || op == FUTEX_WAKE_BITSET) return 1;
  if (op != FUTEX_WAIT && op != FUTEX_WAIT_BITSET) return 0;
  *result = with_errno(*(u32 *)word != (u32)with[2] ? -EAGAIN : await((u32 *)word, (u32)with[2], with[3] != 0) ? 0 : -ETIMEDOUT);
  return 1;
}

bool xc_futex_wait(void *self, u32 *word, u32 value, bool timed, int64_t seconds, int64_t nanoseconds) {
  (void)self, (void)seconds, (void)nanoseconds;
  return await(word, value, timed);
}

void xc_futex_wake(void *self, u32 *word) { (void)self, (void)word; }
