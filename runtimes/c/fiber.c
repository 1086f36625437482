/* Fibers: threads of the subject on the one thread of its process.
 *
 * A new fiber runs at once, up to its first visible operation; then its creator goes on. After that fibers change only where the scheduler says so.
 * What a fiber needs outside of its stack (the protocol of calls, errno, the exceptions of C++, what std::call_once calls) is saved when another one runs.
 *
 * Invariant. A fiber that does not run has its registers on its stack, in the order of xc_enter (worker.c). */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include "threads.h"

void xc_switch(u64 *save, u64 to);
__asm__(".text\n.globl xc_switch\n.type xc_switch,@function\nxc_switch:\n"
        "  push %rbp\n  push %rbx\n  push %r12\n  push %r13\n  push %r14\n  push %r15\n"
        "  sub $8, %rsp\n  stmxcsr (%rsp)\n  fnstcw 4(%rsp)\n"
        "  mov %rsp, (%rdi)\n  mov %rsi, %rsp\n"
        "  ldmxcsr (%rsp)\n  fldcw 4(%rsp)\n  add $8, %rsp\n"
        "  pop %r15\n  pop %r14\n  pop %r13\n  pop %r12\n  pop %rbx\n  pop %rbp\n  ret\n");

struct saved { u32 modes, control; u64 r15, r14, r13, r12, rbx, rbp, pc, none[2]; };

/* The C library's: headers of C++ count references without atomic operations while it is 1. */
extern char __libc_single_threaded __attribute__((weak));
void *__cxa_get_globals(void) __attribute__((weak)); /* of the C++ library: what is being thrown and caught */
/* cxx.cpp: what std::call_once is to call, in variables of the library. */
void xc_once_keep(void *kept[2]) __attribute__((weak));
void xc_once_put(void *const kept[2]) __attribute__((weak));

static u64 bottom(u32 task) { return task ? XC_FIBER_STACKS + task * XC_FIBER_SLOT + XC_FIBER_SLOT - XC_FIBER_STACK : XC_STACK; }
static u64 top(u32 task) { return task ? XC_FIBER_STACKS + (task + 1ull) * XC_FIBER_SLOT : XC_STACK + XC_STACK_SIZE; }

static void save(struct xc_fiber *fiber) {
  fiber->tag = XC->tag;
  fiber->inside = XC_P->inside;
  fiber->ret = XC->ret;
  fiber->returned = XC_P->returned;
  fiber->n_va = XC_P->n_va;
  fiber->n_stack = XC_P->n_stack;
  fiber->stack_low = XC_P->stack_low;
  fiber->size_handle = XC_P->size_handle;
  fiber->size_site = XC_P->size_site;
  for (u32 i = 0; i < XC_RETS; i++) fiber->rets[i] = XC_P->rets[i];
  fiber->error_number = errno;
  if (xc_once_keep) xc_once_keep(fiber->once);
  if (!__cxa_get_globals) return;
  const u64 *exceptions = __cxa_get_globals();
  fiber->exceptions[0] = exceptions[0];
  fiber->exceptions[1] = exceptions[1];
}

static void load(struct xc_fiber *fiber) {
  XC_T->self = fiber;
  XC->tag = fiber->tag;
  XC_P->inside = (u32)fiber->inside;
  XC->ret = fiber->ret;
  XC_P->returned = fiber->returned;
  XC_P->n_va = fiber->n_va;
  XC_P->n_stack = fiber->n_stack;
  XC_P->stack_low = fiber->stack_low;
  XC_P->size_handle = fiber->size_handle;
  XC_P->size_site = fiber->size_site;
  for (u32 i = 0; i < XC_RETS; i++) XC_P->rets[i] = fiber->rets[i];
  errno = fiber->error_number;
  XC_P->stack_from = bottom(fiber->task);
  XC_P->stack_to = top(fiber->task);
  XC_P->most_stack = fiber->task ? xc_first_local(fiber->task) + XC_LOCALS - 2 : 1 << 20;
  XC_P->arena = fiber->task ? &fiber->heap : &XC_P->heap;
  if (xc_once_put) xc_once_put(fiber->once);
  if (!__cxa_get_globals) return;
  u64 *exceptions = __cxa_get_globals();
  exceptions[0] = fiber->exceptions[0];
  exceptions[1] = fiber->exceptions[1];
}

void xc_fiber_switch(struct xc_fiber *to) {
  struct xc_fiber *self = XC_SELF;
  save(self);
  load(to);
  xc_switch(&self->sp, to->sp);
}

_Noreturn void xc_fiber_jump(struct xc_fiber *to) {
  load(to);
  XC_P->running = XC_YES;
  xc_resume(to->sp);
}

static void begin(void) {
  struct xc_fiber *self = XC_SELF;
  XC->args[0] = self->argument_handle;
  XC->n_args = 1;
  XC->tag = (u64)self->start;
  void *result = self->start(self->argument);
  self->result_handle = XC_P->returned == (u64)self->start ? XC->ret : 0;
  self->result = result;
  xc_fiber_leave();
}

/* Behind all descendants of the parent that are there. */
static void put_in_order(struct xc_fiber *parent, struct xc_fiber *child) {
  u32 at = 0;
  while (XC_T->order[at] != parent->task) at++;
  for (at++; at < XC_T->n_order && XC_FIBERS[XC_T->order[at]].depth > parent->depth;) at++;
  for (u32 i = XC_T->n_order++; i > at; i--) XC_T->order[i] = XC_T->order[i - 1];
  XC_T->order[at] = (u16)child->task;
}

static int open_stack(u32 task) {
  if (XC_T->opened[task]) return 1;
  if (mprotect((void *)bottom(task), XC_FIBER_STACK, PROT_READ | PROT_WRITE)) return 0;
  XC_T->opened[task] = 1;
  return 1;
}

static void prepare(struct xc_fiber *fiber, u32 task) {
  u64 arena = XC_ARENAS + task * XC_ARENA, objects = XC_OBJECTS / 2 / XC_TASKS, first = XC_OBJECTS / 2 + task * objects;
  xc_zero(fiber, sizeof *fiber);
  fiber->run = XC->run;
  fiber->task = task;
  fiber->n_stack = xc_first_local(task);
  fiber->stack_low = top(task);
  if (!XC_T->open[task]) XC_T->open[task] = arena;
  fiber->heap = (struct xc_arena){arena, arena, XC_T->open[task], arena + XC_ARENA, first, first, first + objects};
  XC_STACK_OBJECTS[fiber->n_stack - 1].base = ~0ull;
}

struct xc_fiber *xc_fiber_new(void *(*start)(void *), void *argument) {
  struct xc_fiber *self = XC_SELF;
  u32 task = xc_task_of(self->task, ++self->forks);
  if (task >= XC_TASKS || !open_stack(task)) return NULL;
  struct xc_fiber *fiber = &XC_FIBERS[task];
  prepare(fiber, task);
  fiber->depth = self->depth + 1;
  fiber->start = start;
  fiber->argument = argument;
  put_in_order(self, fiber);
  XC_T->made[XC_T->n_made++] = (u16)task;
  XC_T->n_alive++;
  xc_fork_step(fiber);
  struct saved *frame = (struct saved *)(top(task) - 72 - sizeof(struct saved)) /* `begin` finds the stack as after a call */;
  *frame = (struct saved){.pc = (u64)begin};
  __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(frame->modes), "=m"(frame->control));
  fiber->sp = (u64)frame;
  return fiber;
}

void xc_fiber_start(struct xc_fiber *fiber) {
  fiber->starter = XC_SELF;
  fiber->state = XC_FIBER_RUNS;
  XC->concurrent = 1;
  if (&__libc_single_threaded) __libc_single_threaded = 0;
  xc_fiber_switch(fiber);
}

void xc_fiber_ended(struct xc_fiber *fiber) {
  u32 at = 0;
  xc_note_written(fiber);
  fiber->state = XC_FIBER_ENDED;
  while (at < XC_T->n_order && XC_T->order[at] != fiber->task) at++;
  for (XC_T->n_order--; at < XC_T->n_order; at++) XC_T->order[at] = XC_T->order[at + 1];
  XC_T->n_alive--;
  XC_T->n_unjoined++;
  XC_T->n_asleep -= fiber->asleep;
  fiber->asleep = 0;
}

struct xc_arena *xc_arena_at(u32 i) {
  if (!i) return &XC_P->heap;
  return XC->threads_at && i <= XC_T->n_made ? &XC_FIBERS[XC_T->made[i - 1]].heap : NULL;
}

int xc_stack_at(u32 i, u64 *from, u64 *to) {
  *from = *to = 0;
  if (!XC->threads_at || i > XC_T->n_made) return 0;
  const struct xc_fiber *fiber = &XC_FIBERS[i ? XC_T->made[i - 1] : 0];
  if (fiber == XC_SELF || fiber->state >= XC_FIBER_ENDED) return 1;
  *from = fiber->sp;
  *to = top(fiber->task);
  return 1;
}
