/* Threads: create, join, detach, exit, self, equal.
 *
 * A pthread_t is the address of the fiber. Symbolic values come along: the argument of pthread_create, and what a thread returns, if the instrumented
 * caller passes their handles as to one of its own functions.
 *
 * Invariant. XC->concurrent is 1 from the first pthread_create on until only one thread is left and all others were joined. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <stddef.h>
#include "memory.h"
#include "threads.h"

/* The handle of an argument, if the caller is instrumented and told it. */
static u32 handle_of(u64 function, u32 i) { return XC->tag == function ? XC->args[i] : 0; }

int xc_thread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  u32 handle = handle_of((u64)pthread_create, 3);
  XC->tag = 0;
  if (XC->concurrent) xc_access_slow((u64)thread, sizeof *thread, 1);
  struct xc_fiber *fiber = xc_fiber_new(start, argument);
  if (!fiber) {
    xc_unsupported(XC_LOST_THREAD);
    return EAGAIN;
  }
  fiber->argument_handle = handle;
  fiber->clock = XC_SELF->clock;
  fiber->detached = attributes && *(const int *)attributes == PTHREAD_CREATE_DETACHED;
  xc_check((u64)thread, sizeof *thread, XC_WRITE);
  *thread = (pthread_t)fiber;
  xc_shadow_set((u64)thread, sizeof *thread, 0, 0);
  xc_fiber_start(fiber);
  return 0;
}

/* The fiber of this run that the pthread_t names, or NULL. */
static struct xc_fiber *fiber_of(pthread_t thread) {
  u64 offset = (u64)thread - (u64)XC_FIBERS;
  if ((u64)thread < (u64)XC_FIBERS || offset % sizeof(struct xc_fiber) || offset / sizeof(struct xc_fiber) >= XC_TASKS) return NULL;
  struct xc_fiber *fiber = (struct xc_fiber *)thread;
  return fiber->run == XC->run ? fiber : NULL;
}

static void joined(struct xc_fiber *fiber, void **result) {
  fiber->joined = 1;
  if (XC_SELF->clock < fiber->clock) XC_SELF->clock = fiber->clock;
  XC_T->n_unjoined--;
  if (XC_T->n_alive == 1 && !XC_T->n_unjoined) XC->concurrent = 0;
  if (!result) return;
  if (XC->concurrent) xc_access_slow((u64)result, sizeof *result, 1);
  xc_check((u64)result, sizeof *result, XC_WRITE);
  *result = fiber->result;
  xc_shadow_set((u64)result, sizeof *result, fiber->result_handle, XC_NODES[fiber->result_handle].k);
}

/* A thread that can be joined, or the failure. */
static struct xc_fiber *joinable(pthread_t thread) {
  struct xc_fiber *fiber = fiber_of(thread);
  if (!fiber) xc_fail_sync(XC_CHECK_JOIN, "what is joined is not a thread");
  if (fiber == XC_SELF) xc_fail_sync(XC_CHECK_JOIN, "a thread joins itself");
  if (fiber->detached) xc_fail_sync(XC_CHECK_JOIN, "a thread is joined that was detached");
  if (fiber->joined) xc_fail_sync(XC_CHECK_JOIN, "a thread is joined a second time");
  return fiber;
}

int pthread_join(pthread_t thread, void **result) {
  if (!xc_threads_running()) return ESRCH;
  struct xc_fiber *fiber = joinable(thread);
  xc_cancel_point();
  xc_visible(XC_DO_JOIN, 0, fiber->task, 0, 0, 1, 0);
  xc_cancel_left(XC_SELF->next.op != XC_DO_JOIN);
  joined(joinable(thread), result); /* somebody else may have been faster */
  return 0;
}

/* Whether a thread has ended is seen at once: the time of a timed join is over if not. Who asks reads a word that the end writes; both are steps only once
 * somebody has asked, in this run or an earlier one, so that other programs have no such steps. */
static int join_now(pthread_t thread, void **result, int busy) {
  if (!xc_threads_running()) return ESRCH;
  struct xc_fiber *fiber = joinable(thread);
  u64 word = (u64)&fiber->over;
  if (!xc_shared(word)) xc_share(word, sizeof fiber->over);
  xc_visible(XC_DO_LOAD, word, 0, 0, sizeof fiber->over, 1, XC_FULL_ORDER);
  if (!joinable(thread)->over) return busy; /* somebody else may have been faster */
  joined(fiber, result);
  return 0;
}

void xc_thread_over(void) {
  u64 word = (u64)&XC_SELF->over;
  if (xc_shared(word)) xc_visible(XC_DO_STORE, word, 0, 0, sizeof XC_SELF->over, 1, XC_FULL_ORDER);
  XC_SELF->over = 1;
}

int pthread_tryjoin_np(pthread_t thread, void **result) {
  return join_now(thread, result, EBUSY);
}

int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *until) {
  (void)until;
  return join_now(thread, result, ETIMEDOUT);
}

int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const struct timespec *until) {
  (void)clock, (void)until;
  return join_now(thread, result, ETIMEDOUT);
}

int pthread_detach(pthread_t thread) {
  if (!xc_threads_running()) return ESRCH;
  struct xc_fiber *fiber = fiber_of(thread);
  if (!fiber) return ESRCH;
  if (fiber->joined) xc_fail_sync(XC_CHECK_JOIN, "a thread is detached that was joined");
  if (fiber->detached) return EINVAL;
  fiber->detached = 1;
  return 0;
}

_Noreturn void pthread_exit(void *result) {
  if (!xc_threads_running()) exit(0);
  XC_SELF->result_handle = handle_of((u64)pthread_exit, 0);
  XC->tag = 0;
  xc_fiber_exit(result);
}

pthread_t pthread_self(void) { return (pthread_t)(XC->threads_at && XC_SELF ? XC_SELF : XC_FIBERS); }

int pthread_equal(pthread_t a, pthread_t b) { return a == b; }

/* Signals are for the whole process here: only one thread can send one to itself. */
int pthread_kill(pthread_t thread, int number) {
  struct xc_fiber *fiber = xc_threads_running() ? fiber_of(thread) : NULL;
  if (!fiber || fiber->state == XC_FIBER_ENDED) return ESRCH;
  if (!number) return 0;
  return fiber == XC_SELF ? raise(number) : ENOTSUP;
}
