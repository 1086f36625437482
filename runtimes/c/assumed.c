/* Assumptions about memory that other threads may change: they are waits.
 *
 * The instrumenter calls xc_point where it begins to compute a condition that is assumed, from reads alone, and xc_again where the condition is known.
 *
 * A thread that comes to the point looks ahead: what it reads there is not a step, and when the condition is known it announces all of it at
 * once. It can run as long as the condition holds, and looks again whenever something of what it read has another value. So an assumption that does not
 * hold is a thread that is blocked, and costs no runs. That is right where the reads are one step: in an atomic section that begins with them, or
 * if there is only one.
 *
 * Otherwise the reads are steps, and so they are where an input decides, or where one fails: looking ahead is given up for this time. If
 * the condition does not hold then, the thread blocks until something of what it read has another value, and reads again: as if it had been slower.
 *
 * The assumption itself comes after that, and rejects the run if there is nothing to wait for. A run in which all that are left wait so is rejected, too.
 *
 * Invariant. Between xc_point and xc_again nothing is written: going back changes nothing. What looking ahead counted (hooks) is taken
 * back. */
#include "memory.h"
#include "threads.h"
#include "common/point.h"

XC_POINT("xc_point", "xc_point_room", "xc_point_jump");

static void start(struct xc_fiber *self) {
  self->spins = self->point_set;
  self->n_spin = self->spin_writes = 0;
}

/* Where the thread reads for the first time. An atomic section that has done something before cannot be interrupted there: that cannot be undone. */
u64 *xc_point_room(void) {
  struct xc_fiber *self = XC_SELF ? XC_SELF : &XC_FIBERS[0];
  self->point_set = XC->concurrent && XC_T->n_alive > 1 && (!self->section || self->begins || !self->section_steps);
  self->ahead = self->point_set && (self->begins || !self->section);
  self->hooks_before = self->hooks;
  start(self);
  return self->point;
}

/* Goes back, to look ahead once more or not. */
static _Noreturn void back(struct xc_fiber *self, u32 ahead) {
  self->ahead = ahead;
  self->hooks = self->hooks_before;
  start(self);
  xc_point_jump(self->point);
}

void xc_ahead_stop(void) {
  if (XC->threads_at && XC->concurrent && XC_SELF->ahead) back(XC_SELF, 0);
}

void xc_ahead_read(u64 at, u32 bytes, u32 op, u32 flags, u64 frame) {
  struct xc_fiber *self = XC_SELF;
  u32 before = self->n_spin;
  if (bytes > 8) back(self, 0);
  xc_spin_read(at, bytes);
  if (self->n_spin != before + 1 || self->n_spin > XC_SPINS) return;
  struct xc_spin *read = &self->spin[before];
  read->op = (u16)op;
  read->flags = (u16)flags;
  read->hook = self->hooks;
  xc_place(read->frames, frame);
}

struct xc_next xc_ahead_next(const struct xc_spin *read) {
  return (struct xc_next){.op = read->op, .flags = read->flags, .arms = 1, .bytes = read->bytes, .object = read->at};
}

int xc_ahead_stale(const struct xc_fiber *fiber) { return fiber->looked && xc_spin_value(fiber) != fiber->seen; }

/* In the middle of a choice: the fiber comes back here with what it will do now. */
void xc_look_again(struct xc_fiber *fiber) {
  fiber->looked = 0;
  fiber->starter = XC_SELF;
  fiber->state = XC_FIBER_RUNS;
  xc_fiber_switch(fiber);
}

/* Announces what was read. It comes back when it is this fiber's turn, or when it has to look again. */
static void announce(struct xc_fiber *self, u32 holds) {
  struct xc_next next = self->begins ? (struct xc_next){.op = XC_DO_BEGIN, .arms = 1} : xc_ahead_next(&self->spin[0]);
  xc_spin_share_all();
  self->looked = 1;
  self->seen = xc_spin_value(self);
  if (!holds) {
    u64 from = self->spin[0].at, to = from;
    for (u32 i = 0; i < self->n_spin; i++) {
      if (self->spin[i].at < from) from = self->spin[i].at;
      if (self->spin[i].at + self->spin[i].bytes > to) to = self->spin[i].at + self->spin[i].bytes;
    }
    next = (struct xc_next){.op = XC_DO_AWAIT, .flags = XC_ASSUMES, .arms = 1, .bytes = (u32)(to - from), .object = from, .other = self->seen};
  }
  xc_announce_at(&next, self->spin[0].frames, self->begins ? self->begin_hook : self->spin[0].hook);
}

XC_SLOW void xc_again(u32 holds) {
  struct xc_fiber *self = XC_SELF;
  u32 reads = self->n_spin;
  self->spins = 0;
  if (!self->point_set || !reads) {
    self->ahead = 0;
    return;
  }
  if (!self->ahead) {
    if (holds || reads > XC_SPINS) return;
    xc_spin_wait(XC_ASSUMES);
    self->section_steps = 0;
    start(self);
    xc_point_jump(self->point);
  }
  if (reads > XC_SPINS || (!self->begins && reads > 1)) back(self, 0);
  self->ahead = 0;
  announce(self, holds);
  if (!self->looked) back(self, 1);
  self->looked = self->begins = 0;
}
