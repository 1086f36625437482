/* Who runs next: the plan, the sleep set, the default. Every choice is recorded as a step.
 *
 * A step with more than one option uses up one entry of the plan, whether or not somebody sleeps; of a strict plan, every step does. Tasks of the
 * plan's sleep set sleep from its last entry on, until an operation is executed that conflicts with theirs (Godefroid 1996).
 *
 * Invariant. Between two steps only one fiber runs, and those it starts. While a fiber is in an atomic section and can run, it is the only one that
 * is listed, and the step is glued to the one before. */
#include <stddef.h>
#include "memory.h"
#include "threads.h"

static struct xc_next *nexts(void) { return (struct xc_next *)(XC_SHARED + XC_THREADS->nexts_at); }

static u32 arms(const struct xc_next *next) { return next->arms ? next->arms : 1; }

/* Whoever is in an atomic section and can go on. One who cannot lets the others run. */
static struct xc_fiber *exclusive(void) {
  struct xc_fiber *holder = XC_T->holder;
  if (!holder) return NULL;
  if (holder->state == XC_FIBER_READY && !(holder->next.flags & XC_SPURIOUS && holder->waits)) {
    xc_refresh(holder);
    if (xc_enabled(holder, &holder->next)) return holder;
  }
  XC_T->holder = NULL;
  return NULL;
}

/* Writes what everybody who can run would do, and returns how many there are. Waking up for no reason frees nobody who is stuck. */
static u32 list(u32 *options) {
  struct xc_threads *threads = XC_THREADS;
  u32 n = 0, real = 0;
  *options = 0;
  if (threads->n_nexts + XC_T->n_order > threads->max_nexts) xc_end(XC_OUT_OF_TRACE);
  struct xc_next *out = nexts() + threads->n_nexts;
  struct xc_fiber *only = exclusive();
  if (only) {
    *out = only->next;
    *options = arms(out);
    return 1;
  }
  for (u32 i = 0; i < XC_T->n_order; i++) {
    struct xc_fiber *fiber = &XC_FIBERS[XC_T->order[i]];
    if (fiber->state == XC_FIBER_READY && xc_ahead_stale(fiber)) xc_look_again(fiber);
    if (fiber->state != XC_FIBER_READY) continue;
    xc_refresh(fiber);
    if (!xc_enabled(fiber, &fiber->next)) continue;
    out[n++] = fiber->next;
    *options += arms(&fiber->next);
    real += !(fiber->next.flags & XC_SPURIOUS) || !fiber->waits;
  }
  return real ? n : 0;
}

/* The plan's choice: its place among the n. n: it cannot be made. */
static u32 planned(const struct xc_next *all, u32 n, u32 *arm) {
  struct xc_threads *threads = XC_THREADS;
  const struct xc_choice *choices = (const struct xc_choice *)(XC_SHARED + threads->choices_at);
  struct xc_choice choice = choices[XC_T->next_choice++];
  if (XC_T->next_choice == threads->n_choices) xc_fall_asleep();
  for (u32 i = 0; i < n; i++) {
    if (all[i].task != choice.task || choice.arm >= arms(&all[i])) continue;
    *arm = choice.arm;
    return i;
  }
  threads->strayed = XC_T->next_choice;
  XC_T->next_choice = threads->n_choices;
  return n;
}

/* The first that does not sleep, or the current task if that is wished. n: all sleep. */
static u32 by_default(const struct xc_next *all, u32 n) {
  if (XC_THREADS->choose >= XC_WALK) return xc_at_random(all, n);
  u32 lowest = n;
  for (u32 i = 0; i < n; i++) {
    if (XC_FIBERS[all[i].task].asleep) continue;
    if (XC_THREADS->choose == XC_CURRENT && all[i].task == XC_T->current) return i;
    if (lowest == n) lowest = i;
  }
  return lowest;
}

void xc_fall_asleep(void) {
  const struct xc_threads *threads = XC_THREADS;
  const u32 *asleep = (const u32 *)(XC_SHARED + threads->choices_at + threads->n_choices * sizeof(struct xc_choice));
  for (u32 i = 0; i < threads->n_asleep && i < XC_TASKS; i++) {
    if (asleep[i] >= XC_TASKS || XC_FIBERS[asleep[i]].run != XC->run) continue;
    XC_FIBERS[asleep[i]].asleep = 1;
    XC_T->n_asleep++;
  }
}

/* Those whose next operation conflicts with what is executed now wake up. */
static void wake(const struct xc_next *executed, u32 arm) {
  for (u32 i = 0; i < XC_T->n_order; i++) {
    struct xc_fiber *fiber = &XC_FIBERS[XC_T->order[i]];
    if (!fiber->asleep || (fiber->task != executed->task && !xc_conflict(&fiber->next, executed, arm))) continue;
    fiber->asleep = 0;
    XC_T->n_asleep--;
  }
}

static void record(struct xc_fiber *fiber, u32 n, u32 chosen, u32 hook, const u32 *frames) {
  struct xc_threads *threads = XC_THREADS;
  if (threads->n_steps >= threads->max_steps) xc_end(XC_OUT_OF_TRACE);
  xc_event(XC_EV_STEP, 0, threads->n_steps, 0, 0);
  struct xc_step *step = (struct xc_step *)(XC_SHARED + threads->steps_at) + threads->n_steps++;
  *step = (struct xc_step){.first = threads->n_nexts, .count = n, .chosen = chosen, .arm = fiber->arm, .hook = hook, .how = XC_T->holder ? XC_STEP_GLUED : 0};
  if (!fiber->last_step && fiber->outside) step->how |= XC_STEP_OUTSIDE_BEFORE;
  fiber->last_step = threads->n_steps;
  for (u32 i = 0; i < XC_STEP_FRAMES; i++) step->frames[i] = frames[i];
  threads->n_nexts += n;
}

static int writes(const struct xc_next *next) {
  return next->op == XC_DO_WRITE || next->op == XC_DO_STORE || next->op == XC_DO_UPDATE || next->op == XC_DO_COMPARE_EXCHANGE;
}

void xc_note_written(struct xc_fiber *fiber) {
  if (!fiber->wrote) return;
  struct xc_step *step = (struct xc_step *)(XC_SHARED + XC_THREADS->steps_at) + fiber->wrote - 1;
  step->after = xc_peek(fiber->next.object, fiber->next.bytes);
  fiber->wrote = 0;
}

/* The reads that it has announced with the beginning of its section are done at once. */
static void record_reads(struct xc_fiber *fiber) {
  struct xc_threads *threads = XC_THREADS;
  if (threads->n_nexts + fiber->n_spin > threads->max_nexts) xc_end(XC_OUT_OF_TRACE);
  for (u32 i = 0; i < fiber->n_spin; i++) {
    const struct xc_spin *read = &fiber->spin[i];
    struct xc_next *next = nexts() + threads->n_nexts;
    *next = xc_ahead_next(read);
    next->task = fiber->task;
    next->flags |= XC_SECTION;
    next->before = read->value;
    if (XC_T->n_asleep) wake(next, 0);
    record(fiber, 1, 0, read->hook, read->frames);
  }
  if (threads->strict) XC_T->next_choice += fiber->n_spin;
}

struct xc_fiber *xc_pick(void) {
  for (;;) {
    u32 options, arm = 0, n = list(&options), chosen = n;
    if (!n && xc_time_passes()) continue;
    if (!n) return xc_nobody();
    const struct xc_next *all = nexts() + XC_THREADS->n_nexts;
    if ((options > 1 || XC_THREADS->strict) && XC_T->next_choice < XC_THREADS->n_choices) chosen = planned(all, n, &arm);
    if (chosen == n) chosen = by_default(all, n);
    if (chosen == n) xc_finish(XC_ASLEEP);
    if (XC_T->kept && !XC_T->steps_left--) xc_finish(XC_CUT);
    struct xc_fiber *fiber = &XC_FIBERS[all[chosen].task];
    fiber->arm = arm;
    record(fiber, n, chosen, fiber->next_hook, fiber->frames);
    XC_T->holder = fiber->section ? fiber : NULL;
    fiber->section_steps += fiber->next.op != XC_DO_BEGIN;
    fiber->wrote = writes(&fiber->next) && fiber->next.bytes <= 8 && !(fiber->next.flags & XC_DESTROYS) ? XC_THREADS->n_steps : 0;
    if (XC_T->n_asleep) wake(&fiber->next, arm);
    if (fiber->looked && fiber->next.op == XC_DO_BEGIN) record_reads(fiber);
    XC_T->current = fiber->task;
    fiber->state = XC_FIBER_RUNS;
    return fiber;
  }
}

void xc_fork_step(struct xc_fiber *child) {
  struct xc_threads *threads = XC_THREADS;
  if (threads->n_forks >= threads->max_forks) xc_end(XC_OUT_OF_TRACE);
  struct xc_fork *fork = (struct xc_fork *)(XC_SHARED + threads->forks_at) + threads->n_forks++;
  *fork = (struct xc_fork){threads->n_steps, XC_SELF->task, child->task, (u32)(u64)child->start};
}

u32 xc_announce_at(const struct xc_next *next, const u32 *frames, u32 hook) {
  struct xc_fiber *self = XC_SELF, *starter = self->starter;
  xc_note_written(self);
  self->next = *next;
  self->next.task = self->task;
  self->next_hook = hook;
  if (self->section) self->next.flags |= XC_SECTION;
  if (frames != self->frames)
    for (u32 i = 0; i < XC_STEP_FRAMES; i++) self->frames[i] = frames[i];
  self->state = XC_FIBER_READY;
  self->starter = NULL;
  struct xc_fiber *to = starter ? starter : xc_pick();
  if (to != self) xc_fiber_switch(to);
  return self->arm;
}

u32 xc_announce(const struct xc_next *next, u64 frame) {
  struct xc_fiber *self = XC_SELF;
  xc_place(self->frames, frame);
  if (XC_UNLIKELY(self->begins)) {
    struct xc_next begin = {.op = XC_DO_BEGIN, .arms = 1};
    self->begins = 0;
    xc_announce_at(&begin, self->frames, self->begin_hook);
    xc_place(self->frames, frame);
  }
  return xc_announce_at(next, self->frames, self->hooks);
}

u32 xc_visible(u32 op, u64 object, u64 other, u64 before, u32 bytes, u32 arms, u32 flags) {
  if (!xc_threads_running()) return 0;
  xc_ahead_stop();
  XC_SELF->hooks++;
  struct xc_next next = {0, (u16)op, (u16)flags, arms, bytes, object, other, before};
  return xc_announce(&next, *(u64 *)__builtin_frame_address(0));
}
