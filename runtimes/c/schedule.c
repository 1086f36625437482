/* Who runs next: the plan, the sleep set, the default. Every choice is recorded as a step.
 *
 * A step with more than one option uses up one entry of the plan, whether or not somebody sleeps; of a strict plan, every step does. Tasks of the
 * plan's sleep set sleep from its last entry on, until an operation is executed that conflicts with theirs (Godefroid 1996).
 *
 * Invariant. Between two steps only one fiber runs, and those it starts. */
#include <stddef.h>
#include "threads.h"

static struct xc_next *nexts(void) { return (struct xc_next *)(XC_SHARED + XC_THREADS->nexts_at); }

static u32 arms(const struct xc_next *next) { return next->arms ? next->arms : 1; }

/* Writes what everybody who can run would do, and returns how many there are. Waking up for no reason frees nobody who is stuck. */
static u32 list(u32 *options) {
  struct xc_threads *threads = XC_THREADS;
  u32 n = 0, real = 0;
  *options = 0;
  if (threads->n_nexts + XC_T->n_order > threads->max_nexts) xc_end(XC_OUT_OF_TRACE);
  struct xc_next *out = nexts() + threads->n_nexts;
  for (u32 i = 0; i < XC_T->n_order; i++) {
    struct xc_fiber *fiber = &XC_FIBERS[XC_T->order[i]];
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

static void record(struct xc_fiber *fiber, u32 n, u32 chosen) {
  struct xc_threads *threads = XC_THREADS;
  if (threads->n_steps >= threads->max_steps) xc_end(XC_OUT_OF_TRACE);
  xc_event(XC_EV_STEP, 0, threads->n_steps, 0, 0);
  struct xc_step *step = (struct xc_step *)(XC_SHARED + threads->steps_at) + threads->n_steps++;
  *step = (struct xc_step){.first = threads->n_nexts, .count = n, .chosen = chosen, .arm = fiber->arm, .hook = fiber->hooks};
  for (u32 i = 0; i < XC_STEP_FRAMES; i++) step->frames[i] = fiber->frames[i];
  threads->n_nexts += n;
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
    record(fiber, n, chosen);
    if (XC_T->n_asleep) wake(&fiber->next, arm);
    XC_T->current = fiber->task;
    fiber->state = XC_FIBER_RUNS;
    return fiber;
  }
}

void xc_fork_step(struct xc_fiber *child) {
  struct xc_threads *threads = XC_THREADS;
  if (threads->n_forks >= threads->max_forks) xc_end(XC_OUT_OF_TRACE);
  struct xc_fork *fork = (struct xc_fork *)(XC_SHARED + threads->forks_at) + threads->n_forks++;
  *fork = (struct xc_fork){threads->n_steps, XC_SELF->task, child->task, 0};
}

u32 xc_announce(const struct xc_next *next, u64 frame) {
  struct xc_fiber *self = XC_SELF, *starter = self->starter;
  self->next = *next;
  self->next.task = self->task;
  xc_place(self->frames, frame);
  self->state = XC_FIBER_READY;
  self->starter = NULL;
  struct xc_fiber *to = starter ? starter : xc_pick();
  if (to != self) xc_fiber_switch(to);
  return self->arm;
}

u32 xc_visible(u32 op, u64 object, u64 other, u64 before, u32 bytes, u32 arms, u32 flags) {
  if (!xc_threads_running()) return 0;
  XC_SELF->hooks++;
  struct xc_next next = {0, (u16)op, (u16)flags, arms, bytes, object, other, before};
  return xc_announce(&next, *(u64 *)__builtin_frame_address(0));
}
