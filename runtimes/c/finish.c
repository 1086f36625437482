/* The ways in which threads, and runs with threads, begin and end.
 *
 * A failure ends only the thread that fails: what others would have done must be known, for it could have happened before. The first failure is what
 * the run came to. The thread's locks are released, each by a step of its own. `exit` and the return of main wait until nobody else can go on.
 * Budgets end the run at once.
 *
 * Invariant. A run is over when xc_finish is called; the shared block then tells of the first failure and of all threads that are left. */
#include <stddef.h>
#include "threads.h"

enum { FURTHER = 10000 /* steps after a failure, or after exit */ };
#define KEPT ((struct xc_control *)(XC_THREADS_PRIVATE + 0x80000)) /* the result of the first failure */

int xc_threads_running(void) { return XC->threads_at && XC_P->running == XC_YES && XC_P->is_child != XC_YES; }

void xc_threads_begin(void) {
  struct xc_threading *t = XC_T;
  struct xc_fiber *first = &XC_FIBERS[0];
  if (first->run != XC->run) xc_zero(first, sizeof *first);
  first->run = XC->run;
  first->state = XC_FIBER_RUNS;
  XC->concurrent = 0;
  t->self = first;
  t->exits = NULL;
  t->n_alive = t->n_order = 1;
  t->order[0] = 0;
  t->n_made = t->n_unjoined = t->n_syncs = t->next_choice = t->n_asleep = t->kept = t->current = 0;
  t->steps_left = FURTHER;
  struct xc_threads *threads = XC_THREADS;
  threads->n_steps = threads->n_nexts = threads->n_forks = threads->n_pending = threads->end = threads->strayed = threads->n_later = 0;
  xc_shared_learn();
  if (!threads->n_choices && threads->n_asleep) xc_fall_asleep();
}

/* The results of struct xc_control: n_decisions and started, in the middle, are none. */
static void copy_result(struct xc_control *to, const struct xc_control *from) {
  u64 first = offsetof(struct xc_control, outcome), middle = offsetof(struct xc_control, n_decisions), last = offsetof(struct xc_control, frames);
  xc_copy((u8 *)to + first, (const u8 *)from + first, middle - first);
  xc_copy((u8 *)to + last, (const u8 *)from + last, sizeof *to - last);
}

static int is_failure(u32 outcome) { return outcome != XC_RUNNING && outcome != XC_RETURNED && outcome != XC_EXITED; }
static int is_budget(u32 outcome) {
  return outcome == XC_OUT_OF_FUEL || outcome == XC_OUT_OF_MEMORY || outcome == XC_OUT_OF_TRACE || outcome == XC_TIMED_OUT;
}

/* The return addresses of a failure as those of a step. */
static void failed_at(u32 *frames) {
  u32 n = 0;
  if (XC->signal && xc_in_text(XC->pc)) frames[n++] = (u32)XC->pc + 1; /* as if it were a call */
  for (u32 i = 0; n < XC_STEP_FRAMES; i++, n++) frames[n] = i < XC->n_frames ? (u32)XC->frames[i] : 0;
}

void xc_keep(u32 outcome) {
  if (is_failure(XC_T->kept) && is_failure(outcome) && !is_budget(outcome) && XC_THREADS->n_later < XC_LATER) {
    failed_at(XC_THREADS->later[XC_THREADS->n_later++]);
  }
  if (is_failure(XC_T->kept) || (XC_T->kept && !is_failure(outcome))) return;
  XC_T->kept = outcome;
  copy_result(KEPT, XC);
}

/* Who is left, and what they wait for. */
static void list_pending(u32 end) {
  struct xc_threads *threads = XC_THREADS;
  struct xc_next *out = (struct xc_next *)(XC_SHARED + threads->nexts_at) + threads->n_nexts;
  struct xc_step *steps = (struct xc_step *)(XC_SHARED + threads->steps_at) + threads->n_steps;
  u32 n = 0;
  for (u32 i = 0; i < XC_T->n_order && threads->n_nexts + n < threads->max_nexts; i++) {
    struct xc_fiber *fiber = &XC_FIBERS[XC_T->order[i]];
    if (fiber->state != XC_FIBER_READY && fiber->state != XC_FIBER_DYING) continue;
    xc_refresh(fiber);
    if (fiber->next.flags & XC_SPURIOUS) fiber->next.flags &= (u16)~(XC_ALONE | XC_SPURIOUS);
    if (end != XC_CUT && xc_enabled(fiber, &fiber->next)) continue;
    steps[n] = (struct xc_step){.hook = fiber->hooks};
    for (u32 j = 0; j < XC_STEP_FRAMES; j++) steps[n].frames[j] = fiber->frames[j];
    out[n++] = fiber->next;
  }
  threads->n_nexts += n;
  threads->n_pending = n;
}

_Noreturn void xc_finish(u32 end) {
  XC_P->running = 0;
  XC->recording = XC->concurrent = 0;
  if (XC_T->kept) copy_result(XC, KEPT);
  if (XC->outcome == XC_RUNNING) XC->outcome = XC_RETURNED;
  XC_THREADS->end = end;
  list_pending(end);
  xc_resume(XC_P->loop_stack);
}

struct xc_fiber *xc_nobody(void) {
  struct xc_fiber *exits = XC_T->exits;
  if (exits && exits->state == XC_FIBER_EXITS) {
    exits->state = XC_FIBER_RUNS;
    return exits;
  }
  if (!XC_T->kept && XC_T->n_alive) {
    const struct xc_fiber *blocked = &XC_FIBERS[XC_T->order[0]];
    XC->outcome = XC_STUCK;
    XC->n_frames = 0;
    for (u32 i = 0; i < XC_STEP_FRAMES && blocked->frames[i]; i++) xc_frame(blocked->frames[i]);
    xc_keep(XC_STUCK);
  }
  xc_finish(XC_FINISHED);
}

/* What a dying thread has: it is released by steps, as if it did it itself. */
int xc_dying(struct xc_fiber *fiber) {
  u32 op = 0;
  for (u32 i = 0; i < XC_T->n_syncs; i++) {
    const struct xc_sync *sync = &XC_SYNCS[i];
    if (sync->kind == XC_SYNC_MUTEX && sync->owner == fiber->task + 1) op = XC_DO_UNLOCK;
    else if (sync->kind == XC_SYNC_RWLOCK && sync->owner == fiber->task + 1) op = XC_DO_WRITE_UNLOCK;
    else if (sync->kind == XC_SYNC_SHARE && sync->type == fiber->task && sync->count) op = XC_DO_READ_UNLOCK;
    if (!op) continue;
    fiber->next = (struct xc_next){.task = fiber->task, .op = (u16)op, .arms = 1, .object = sync->address};
    fiber->state = XC_FIBER_DYING;
    return 1;
  }
  return 0;
}

void xc_bury(struct xc_fiber *fiber) {
  u64 address = fiber->next.object;
  struct xc_sync *sync = xc_sync_find(address, fiber->next.op == XC_DO_UNLOCK ? XC_SYNC_MUTEX : XC_SYNC_RWLOCK);
  if (fiber->next.op == XC_DO_READ_UNLOCK) {
    xc_share_of(address, fiber->task)->count--;
    if (sync) sync->count--;
  } else if (sync) {
    sync->owner = sync->count = 0;
  }
  if (!xc_dying(fiber)) xc_fiber_ended(fiber);
}

/* On the loop's stack: that of the fiber stays as it is, for others may have pointers to it. */
static void die(void) {
  struct xc_fiber *self = XC_SELF, *starter = self->starter;
  self->starter = NULL;
  failed_at(self->frames);
  XC_P->running = XC_YES;
  XC->recording = 1;
  if (!xc_dying(self)) xc_fiber_ended(self);
  xc_fiber_jump(starter ? starter : xc_pick());
}

_Noreturn void xc_thread_stop(u32 outcome) {
  xc_keep(outcome);
  if (is_budget(outcome)) xc_finish(XC_CUT);
  if (XC_T->n_alive == 1 || XC_T->exits == XC_SELF) xc_finish(XC_FINISHED);
  u64 stack = (XC_P->loop_stack - 1024) & ~15ull;
  __asm__ volatile("mov %0, %%rsp\n\txor %%ebp, %%ebp\n\tcall *%1" : : "r"(stack), "r"(die) : "memory");
  __builtin_unreachable();
}

/* exit, or the return of main: returns when nobody else can go on. */
void xc_others_first(u32 outcome, int status) {
  if (!xc_threads_running() || XC_T->n_alive == 1 || XC_T->exits == XC_SELF) return;
  struct xc_fiber *self = XC_SELF, *starter = self->starter;
  XC->outcome = outcome;
  XC->status = status & 0xff;
  xc_keep(outcome);
  self->starter = NULL;
  if (XC_T->exits) { /* a second one waits for ever */
    xc_fiber_ended(self);
    xc_fiber_jump(starter ? starter : xc_pick());
  }
  XC_T->exits = self;
  self->state = XC_FIBER_EXITS;
  struct xc_fiber *to = starter ? starter : xc_pick();
  if (to != self) xc_fiber_switch(to);
  if (is_failure(XC_T->kept)) xc_finish(XC_FINISHED);
  XC_T->kept = XC->outcome = XC_RUNNING;
}

_Noreturn void xc_fiber_leave(void) {
  struct xc_fiber *self = XC_SELF;
  if (xc_key_destructors) xc_key_destructors();
  if (XC_T->n_alive == 1) { /* the process ends with its last thread */
    if (!XC_T->kept) {
      xc_run_at_exit();
      xc_leaks(0);
    }
    XC->outcome = XC_RETURNED;
    xc_finish(XC_FINISHED);
  }
  struct xc_fiber *starter = self->starter;
  self->starter = NULL;
  xc_fiber_ended(self);
  xc_fiber_jump(starter ? starter : xc_pick());
}

_Noreturn void xc_fiber_exit(void *result) {
  XC_SELF->result = result;
  if (xc_cleanup_handlers) xc_cleanup_handlers();
  xc_fiber_leave();
}

/* After each run. */
void xc_threads_reset(void) {
  XC->concurrent = 0;
  XC_P->arena = &XC_P->heap;
  for (u32 i = 0; i < XC_T->n_made; i++) {
    u32 task = XC_T->made[i];
    struct xc_fiber *fiber = &XC_FIBERS[task];
    u64 to = XC_FIBER_STACKS + (task + 1ull) * XC_FIBER_SLOT;
    xc_clear_stack(to - XC_FIBER_STACK, to, xc_first_local(task));
    xc_heap_reset(&fiber->heap);
    XC_T->open[task] = fiber->heap.open;
  }
  XC_T->n_made = 0;
  xc_shared_reset();
}
