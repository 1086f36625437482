/* Atomic sections: from __VERIFIER_atomic_begin to __VERIFIER_atomic_end, and functions whose names begin with __VERIFIER_atomic_.
 *
 * Nobody else runs while a thread is in one, unless it cannot go on: then the section is interrupted there, as it would be if it had been two.
 * Only the outermost section of a thread counts. Its beginning is announced with the first thing that others may see: a section without any is not
 * a step.
 *
 * Invariant. Hooks are counted as in replay/section.c: one for each outermost section that begins while several threads run. */
#include "memory.h"
#include "threads.h"

XC_SLOW void xc_section_begin(void) {
  if (!xc_threads_running() || XC_SELF->section++) return;
  XC_SELF->begins = XC->concurrent;
  XC_SELF->begin_hook = XC_SELF->hooks += XC->concurrent;
  XC_SELF->section_steps = 0;
}

XC_SLOW void xc_section_end(void) {
  struct xc_fiber *self = XC_SELF;
  if (!xc_threads_running() || !self->section || --self->section) return;
  self->begins = 0;
  if (XC_T->holder == self) XC_T->holder = 0;
}
