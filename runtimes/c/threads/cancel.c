/* Cancellation: requests, the points where they are met, and what then happens.
 *
 * A request is an atomic store to a word of the fiber, a cancellation point an atomic load of it; both are steps only once somebody has asked
 * for it, in this run or an earlier one (xc_share), so that programs without cancellation have no such steps. A thread that is blocked at a
 * cancellation point said so right after its load; whoever stores sees it there and frees the thread: a wait for a condition by waking all of its
 * waiters (others may wake up spuriously at any time), all else by making of the operation one that tries.
 *
 * Asynchronous cancellation is met at cancellation points, too.
 *
 * Invariant. cancel_waits and the word change only in steps that conflict with each other: schedules that are equivalent see the same. */
#include <errno.h>
#include <pthread.h>
#include "threads.h"

enum { WORD = 4 };

static u64 word_of(const struct xc_fiber *fiber) { return (u64)&fiber->cancelled; }

/* A step that is not an operation of the program: it counts no hook, for a replay knows of none here. */
static void step(u32 op, u64 at, u32 bytes) {
  struct xc_next next = {.op = (u16)op, .flags = XC_FULL_ORDER, .arms = 1, .bytes = bytes, .object = at};
  xc_announce(&next, (u64)__builtin_frame_address(0));
}

static void load(void) {
  if (xc_shared(word_of(XC_SELF))) step(XC_DO_LOAD, word_of(XC_SELF), WORD);
}

/* Looks whether it shall end. */
static int cancelled(void) {
  struct xc_fiber *self = XC_SELF;
  if (self->cancel_disabled) return 0;
  load();
  return self->cancelled && !self->cancel_disabled;
}

static _Noreturn void act(void) {
  XC_SELF->cancel_disabled = 1;
  xc_fiber_exit(PTHREAD_CANCELED);
}

void pthread_testcancel(void) {
  if (xc_threads_running() && cancelled()) act();
}

/* Of an operation that may block for ever: from here on whoever cancels frees it. */
void xc_cancel_point(void) {
  pthread_testcancel();
  if (xc_threads_running() && !XC_SELF->cancel_disabled) XC_SELF->cancel_waits = XC_CANCEL_TRIES;
}

/* The operation is over; or it was given up, to be cancelled. */
void xc_cancel_left(int given_up) {
  if (!xc_threads_running() || !XC_SELF->cancel_waits) return;
  if (!given_up) load();
  XC_SELF->cancel_waits = 0;
  if (given_up) act();
}

int xc_cancel_begin(u64 condition) {
  int now = cancelled();
  XC_SELF->cancel_waits = now || XC_SELF->cancel_disabled ? 0 : condition;
  XC_SELF->roused = 0;
  return now;
}

void xc_cancel_end(int now) {
  struct xc_fiber *self = XC_SELF;
  if (self->cancel_waits && !self->roused) load();
  self->cancel_waits = 0;
  if (now || self->roused) act();
}

/* Frees a thread that was cancelled while it could not go on. */
static void rouse(struct xc_fiber *fiber) {
  u64 waits = fiber->cancel_waits;
  if (waits == XC_CANCEL_TRIES) {
    xc_late(&fiber->next);
    return;
  }
  if (!waits) return;
  step(XC_DO_NOTIFY_ALL, waits, 0);
  struct xc_sync *condition = xc_sync_of(waits, XC_SYNC_CONDITION);
  for (struct xc_fiber *woken; (woken = xc_waiter_take(condition, 0));) woken->roused = woken == fiber;
}

int pthread_cancel(pthread_t thread) {
  struct xc_fiber *fiber = (struct xc_fiber *)thread;
  if (!xc_threads_running()) return ESRCH;
  if (fiber->run != XC->run || fiber->joined) return ESRCH;
  if (!xc_shared(word_of(fiber))) xc_share(word_of(fiber), WORD);
  step(XC_DO_STORE, word_of(fiber), WORD);
  if (fiber->state >= XC_FIBER_ENDED || fiber->cancelled) return 0;
  fiber->cancelled = 1;
  if (fiber != XC_SELF) rouse(fiber);
  else if (fiber->cancel_asynchronous && !fiber->cancel_disabled) act();
  return 0;
}

int pthread_setcancelstate(int state, int *old) {
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
  if (!xc_threads_running()) return 0;
  if (old) *old = XC_SELF->cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  if (old) xc_shadow_clear((u64)old, sizeof *old);
  XC_SELF->cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
  return 0;
}

int pthread_setcanceltype(int type, int *old) {
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  if (!xc_threads_running()) return 0;
  if (old) *old = XC_SELF->cancel_asynchronous ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
  if (old) xc_shadow_clear((u64)old, sizeof *old);
  XC_SELF->cancel_asynchronous = type == PTHREAD_CANCEL_ASYNCHRONOUS;
  if (XC_SELF->cancel_asynchronous) pthread_testcancel();
  return 0;
}
