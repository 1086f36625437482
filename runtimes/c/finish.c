/* The ways in which threads, and runs with threads, begin and end.
 *
 * A failure stops only the thread that fails, as if it were slow from there on: it keeps its locks, and nobody can join it. So whatever
 * the others do after it could have happened before it, and a failure of another thread could have been the first: it is noted, and the engine runs
 * what leads to it without the rest. `exit` and the return of main wait until nobody else can go on.
 * Budgets end the run at once.
 *
 * Invariant. A run is over when xc_finish is called; the shared block then tells of the failure that counts, of those after it, and of all
 * threads that are left. */
#include <stddef.h>
#include "threads.h"

enum { FURTHER = 10000 /* steps after a failure, or after exit */ };
extern char __libc_single_threaded __attribute__((weak)); /* fiber.c */
#define KEPT ((struct xc_control *)(XC_THREADS_PRIVATE + 0x80000)) /* the result of the first failure */

int xc_threads_running(void) { return XC->threads_at && XC_P->running == XC_YES && XC_P->is_child != XC_YES; }

void xc_threads_begin(void) {
  struct xc_threading *t = XC_T;
  struct xc_fiber *first = &XC_FIBERS[0];
  if (first->run != XC->run) xc_zero(first, sizeof *first);
  first->run = XC->run;
  first->state = XC_FIBER_RUNS;
  XC->concurrent = 0;
  if (&__libc_single_threaded) __libc_single_threaded = 1;
  t->self = first;
  t->exits = t->holder = NULL;
  t->n_alive = t->n_order = 1;
  t->order[0] = 0;
  t->n_made = t->n_unjoined = t->n_syncs = t->next_choice = t->n_asleep = t->kept = t->ignored = t->current = 0;
  t->steps_left = FURTHER;
  struct xc_threads *threads = XC_THREADS;
  threads->n_steps = threads->n_nexts = threads->n_forks = threads->n_pending = threads->end = threads->strayed = 0;
  threads->failed = threads->n_later = 0;
  xc_shared_learn();
  if (!threads->n_choices && threads->n_asleep) xc_fall_asleep();
}

/* The results of struct xc_control: n_decisions, started and full, in the middle, are none. */
enum { FIRST = offsetof(struct xc_control, outcome), MIDDLE = offsetof(struct xc_control, n_decisions), LAST = offsetof(struct xc_control, frames) };

static void copy_result(struct xc_control *to, const struct xc_control *from) {
  xc_copy((u8 *)to + FIRST, (const u8 *)from + FIRST, MIDDLE - FIRST);
  xc_copy((u8 *)to + LAST, (const u8 *)from + LAST, sizeof *to - LAST);
}

/* The next failure is to find nothing of this one. */
static void clear_result(void) {
  xc_zero((u8 *)XC + FIRST, MIDDLE - FIRST);
  xc_zero((u8 *)XC + LAST, sizeof *XC - LAST);
}

static int is_failure(u32 outcome) { return outcome != XC_RUNNING && outcome != XC_RETURNED && outcome != XC_EXITED; }
static int is_budget(u32 outcome) {
  return outcome == XC_OUT_OF_FUEL || outcome == XC_OUT_OF_MEMORY || outcome == XC_OUT_OF_TRACE || outcome == XC_TIMED_OUT;
}

/* How and where the current thread fails: FNV-1a. */
static u64 digest(u32 outcome) {
  u64 all[] = {outcome, XC->check, XC->signal, XC->pc, XC->n_frames}, sum = 0xcbf29ce484222325ull;
  for (u32 i = 0; i < sizeof all / sizeof *all; i++) sum = (sum ^ all[i]) * 0x100000001b3ull;
  for (u32 i = 0; i < XC->n_frames && i < XC_STEP_FRAMES; i++) sum = (sum ^ XC->frames[i]) * 0x100000001b3ull;
  return sum;
}

/* Another thread failed before: what is new is noted. A run that an assumption rejects is not a failure. */
static void failed_later(u32 outcome) {
  struct xc_threads *threads = XC_THREADS;
  u64 what = digest(outcome);
  if (outcome == XC_REJECTED || what == XC_T->kept_what) return;
  for (u32 i = 0; i < threads->n_later; i++)
    if (threads->later[i].what == what) return;
  if (threads->n_later < XC_LATER) threads->later[threads->n_later++] = (struct xc_later){XC_SELF->task, threads->n_steps, what};
}

/* own: it is the outcome of the current fiber, and not of all that are left. */
static void keep(u32 outcome, int own) {
  struct xc_threads *threads = XC_THREADS;
  int fails = own && is_failure(outcome) && !is_budget(outcome);
  int counts = !fails || !threads->failing || threads->failing == 1 + XC_SELF->task;
  if (!counts) XC_T->ignored = 1;
  if (counts && fails && is_failure(XC_T->kept)) failed_later(outcome);
  if (counts && !is_failure(XC_T->kept) && (!XC_T->kept || is_failure(outcome))) {
    XC_T->kept = outcome;
    XC_T->kept_what = fails ? digest(outcome) : 0;
    threads->failed = fails ? 1 + XC_SELF->task : 0;
    copy_result(KEPT, XC);
  }
  if (fails) clear_result();
}

void xc_keep(u32 outcome) { keep(outcome, 1); }

/* Who is left, and what they wait for. */
static void list_pending(u32 end) {
  struct xc_threads *threads = XC_THREADS;
  struct xc_next *out = (struct xc_next *)(XC_SHARED + threads->nexts_at) + threads->n_nexts;
  struct xc_step *steps = (struct xc_step *)(XC_SHARED + threads->steps_at) + threads->n_steps;
  u32 n = 0;
  for (u32 i = 0; i < XC_T->n_order && threads->n_nexts + n < threads->max_nexts; i++) {
    struct xc_fiber *fiber = &XC_FIBERS[XC_T->order[i]];
    if (fiber->state != XC_FIBER_READY) continue;
    xc_refresh(fiber);
    if (fiber->next.flags & XC_SPURIOUS) fiber->next.flags &= (u16)~(XC_ALONE | XC_SPURIOUS);
    if (end != XC_CUT && xc_enabled(fiber, &fiber->next)) continue;
    steps[n] = (struct xc_step){.hook = fiber->next_hook};
    for (u32 j = 0; j < XC_STEP_FRAMES; j++) steps[n].frames[j] = fiber->frames[j];
    out[n++] = fiber->next;
  }
  threads->n_nexts += n;
  threads->n_pending = n;
}

_Noreturn void xc_finish(u32 end) {
  XC_P->running = 0;
  XC->recording = XC->concurrent = 0;
  xc_note_written(XC_SELF);
  if (XC_T->kept) copy_result(XC, KEPT);
  if (XC->outcome == XC_RUNNING) XC->outcome = XC_RETURNED;
  XC_THREADS->end = end;
  list_pending(end);
  xc_resume(XC_P->loop_stack);
}

/* Whether somebody waits for an assumption to hold. */
static int assumes(void) {
  for (u32 i = 0; i < XC_T->n_order; i++) {
    const struct xc_fiber *fiber = &XC_FIBERS[XC_T->order[i]];
    if (fiber->state == XC_FIBER_READY && fiber->next.op == XC_DO_AWAIT && fiber->next.flags & XC_ASSUMES) return 1;
  }
  return 0;
}

struct xc_fiber *xc_nobody(void) {
  struct xc_fiber *exits = XC_T->exits;
  if (exits && exits->state == XC_FIBER_EXITS) {
    exits->state = XC_FIBER_RUNS;
    return exits;
  }
  if (!XC_T->kept && !XC_T->ignored && XC_T->n_alive) {
    const struct xc_fiber *blocked = &XC_FIBERS[XC_T->order[0]];
    XC->outcome = assumes() ? XC_REJECTED : XC_STUCK;
    XC->n_frames = 0;
    for (u32 i = 0; i < XC_STEP_FRAMES && blocked->frames[i]; i++) xc_frame(blocked->frames[i]);
    keep(XC->outcome, 0);
  }
  xc_finish(XC_FINISHED);
}

/* On the loop's stack: that of the fiber stays as it is, for others may have pointers to it. */
static void die(void) {
  struct xc_fiber *self = XC_SELF, *starter = self->starter;
  self->starter = NULL;
  XC_P->running = XC_YES;
  XC->recording = 1;
  xc_fiber_ended(self);
  self->state = XC_FIBER_FAILED;
  xc_fiber_jump(starter ? starter : xc_pick());
}

_Noreturn void xc_thread_stop(u32 outcome) {
  xc_keep(outcome);
  if (is_budget(outcome)) xc_finish(XC_CUT);
  if (XC_T->n_alive == 1 || XC_T->exits == XC_SELF) xc_finish(XC_FINISHED);
  if (XC_SELF->starter) die(); /* who waits for it may be on that stack */
  u64 stack = (XC_P->loop_stack - 1024) & ~15ull;
  __asm__ volatile("mov %0, %%rsp\n\txor %%ebp, %%ebp\n\tcall *%1" : : "r"(stack), "r"(die) : "memory");
  __builtin_unreachable();
}

/* exit, or the return of main: returns when nobody else can go on. */
void xc_others_first(u32 outcome, int status) {
  if (!xc_threads_running() || XC_T->n_alive == 1 || XC_T->exits == XC_SELF) return;
  struct xc_fiber *self = XC_SELF, *starter = self->starter;
  xc_note_written(self);
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
    if (!XC_T->kept && !XC_T->ignored) {
      xc_run_at_exit();
      xc_leaks(0);
    }
    XC->outcome = XC_RETURNED;
    xc_finish(XC_FINISHED);
  }
  if (xc_thread_over) xc_thread_over();
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
