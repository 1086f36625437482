/* All ways in which a run can end.
 *
 * The runtime's exit, abort and __assert_fail are defined in the executable, so calls of them from libraries come here as well. Fatal signals
 * arrive on their own stack, with no signal blocked (SA_NODEFER), so that leaving the handler by xc_resume needs no system call.
 *
 * Invariant. The outcome is written before anything that may fail; a fault outside a run ends the process. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include "memory.h"
#include "threads.h"

static _Noreturn void leave(u32 outcome) {
  if (XC_P->is_child == XC_YES) {
    int status = outcome == XC_EXITED ? (int)XC->status : outcome == XC_RETURNED ? 0 : 134;
    syscall(SYS_exit_group, status);
  }
  XC_P->running = 0;
  XC->recording = 0;
  if (XC->threads_at) xc_thread_stop(outcome);
  xc_resume(XC_P->loop_stack);
}

static _Noreturn void stop(u32 outcome, u64 frame) {
  if (XC_P->running == XC_YES) xc_ahead_stop();
  XC->outcome = outcome;
  if (XC_P->running != XC_YES) syscall(SYS_exit_group, 70);
  XC->n_frames = 0;
  int failed = outcome == XC_ASSERTED || outcome == XC_ABORTED || outcome == XC_UNCAUGHT || outcome == XC_CHECK_FAILED;
  if (failed && xc_backtrace) xc_backtrace();
  else xc_walk(frame);
  leave(outcome);
}

#define STOP(outcome) stop(outcome, (u64)__builtin_frame_address(0))

static void say(const char *text) {
  u32 i = 0;
  for (; i + 1 < XC_MESSAGE && text && text[i]; i++) XC->message[i] = text[i];
  XC->message[i] = 0;
}

_Noreturn void xc_end(u32 outcome) { STOP(outcome); }

/* The frames are there already. */
_Noreturn void xc_end_there(u32 outcome) {
  XC->outcome = outcome;
  leave(outcome);
}

_Noreturn void xc_fail_check(u32 check, u32 site, u64 addr) {
  XC->check = check;
  XC->site = site;
  XC->fault_address = addr;
  STOP(XC_CHECK_FAILED);
}

_Noreturn void xc_fail_undefined(u32 check, const char *message) {
  XC->check = check;
  say(message);
  STOP(XC_CHECK_FAILED);
}

_Noreturn void xc_fail_sync(u32 check, const char *message) {
  XC->check = check;
  say(message);
  STOP(XC_CHECK_FAILED);
}

_Noreturn void xc_fail_leak(u64 index, u64 count) {
  const struct xc_global *object = &XC_HEAP_OBJECTS[index];
  XC->check = XC_CHECK_LEAK;
  XC->object_kind = XC_OBJ_HEAP;
  XC->object_base = object->base;
  XC->object_size = object->size;
  XC->access_bytes = count;
  XC->outcome = XC_CHECK_FAILED;
  XC->n_frames = 0;
  /* The place of a leak is where the memory comes from. */
  for (u32 i = 0; i < XC_ORIGIN && XC_ORIGINS[index].allocated[i]; i++) xc_frame(XC_ORIGINS[index].allocated[i]);
  XC->allocated[0] = XC->freed[0] = 0;
  leave(XC_CHECK_FAILED);
}

_Noreturn void xc_fail_assert(const char *message) {
  say(message);
  STOP(XC_ASSERTED);
}

_Noreturn void xc_fail_abort(const char *message) {
  say(message);
  STOP(XC_ABORTED);
}

_Noreturn void xc_fail_uncaught(const char *message) {
  say(message);
  STOP(XC_UNCAUGHT);
}

void __xcute_assume(int holds) {
  if (!holds) STOP(XC_REJECTED);
}

void __xcute_assert(int holds, const char *expression, const char *file, int line) {
  (void)file, (void)line;
  if (holds) return;
  say(expression);
  STOP(XC_ASSERTED);
}

XC_WEAK _Noreturn void abort(void) { STOP(XC_ABORTED); }

XC_WEAK _Noreturn void __assert_fail(const char *expression, const char *file, unsigned line, const char *function) {
  (void)file, (void)line, (void)function;
  say(expression);
  STOP(XC_ASSERTED);
}

XC_WEAK _Noreturn void __assert_perror_fail(int number, const char *file, unsigned line, const char *function) {
  (void)file, (void)line, (void)function;
  say(strerrordesc_np(number));
  STOP(XC_ASSERTED);
}

XC_WEAK _Noreturn void __stack_chk_fail(void) {
  say("stack smashing detected");
  STOP(XC_ABORTED);
}

XC_WEAK _Noreturn void __chk_fail(void) {
  say("buffer overflow detected");
  STOP(XC_ABORTED);
}

XC_WEAK int atexit(void (*function)(void)) {
  xc_map();
  if (XC_P->n_atexit == XC_AT_EXIT) return -1;
  XC_P->at_exit[XC_P->n_atexit++] = function;
  return 0;
}

/* Functions registered before the first run (by constructors) stay registered for ever and are not called. */
void xc_run_at_exit(void) {
  while (XC_P->n_atexit > XC_P->n_atexit_first) XC_P->at_exit[--XC_P->n_atexit]();
}

static _Noreturn void quit(int status, u64 frame) {
  if (XC_P->running != XC_YES) syscall(SYS_exit_group, status);
  xc_others_first(XC_EXITED, status);
  XC->status = status & 0xff;
  xc_leaks(frame);
  stop(XC_EXITED, frame);
}

XC_WEAK _Noreturn void exit(int status) {
  xc_map();
  if (XC_P->running == XC_YES) xc_run_at_exit(); /* while others still run */
  quit(status, (u64)__builtin_frame_address(0));
}

XC_WEAK _Noreturn void _exit(int status) { quit(status, (u64)__builtin_frame_address(0)); }
XC_WEAK _Noreturn void _Exit(int status) { quit(status, (u64)__builtin_frame_address(0)); }
XC_WEAK _Noreturn void quick_exit(int status) { quit(status, (u64)__builtin_frame_address(0)); }

static void on_signal(int number, siginfo_t *info, void *context) {
  const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  u64 pc = registers[REG_RIP], sp = registers[REG_RSP], frame = registers[REG_RBP];
  if (XC_P->running != XC_YES) {
    if (number == XC_ALARM && XC_P->runner) syscall(SYS_kill, XC_P->runner, number);
    if (number == XC_ALARM) return; /* it is for the run's own process, or came too late: the run was over */
    syscall(SYS_exit_group, 70);
  }
  if (number != XC_ALARM) xc_ahead_stop();
  XC_P->running = 0;
  int fault = number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL || number == SIGTRAP;
  u64 address = fault ? (u64)info->si_addr : 0;
  if (number == SIGSEGV && info->si_code == SI_KERNEL) address = ~0ull; /* not canonical: the kernel does not say which */
  u64 low = XC_P->stack_from, guard = low == XC_STACK ? XC_GUARD : XC_FIBER_SLOT - XC_FIBER_STACK;
  int overflow = number == SIGSEGV && ((address >= low - guard && address < low) || (sp >= low - guard && sp < low));
  u32 outcome = overflow ? XC_STACK_OVERFLOW : number == XC_ALARM ? XC_TIMED_OUT : number == SIGABRT ? XC_ABORTED : XC_SIGNALLED;
  XC->outcome = outcome;
  XC->signal = (u32)number;
  XC->fault_address = address;
  XC->status = fault ? registers[REG_ERR] & 0x12 : 0; /* bit 1: a write; bit 4: a jump */
  XC->pc = pc;
  XC->n_frames = 0;
  /* The library's own abort leaves its locks behind; a hang may be anywhere. */
  if ((number == SIGABRT || number == XC_ALARM) && XC_P->isolated != XC_YES) XC->ready = 0;
  if (xc_in_text(pc)) xc_walk(frame);
  else xc_walk_foreign(overflow && sp < low ? low : sp, frame);
  leave(outcome);
}

void xc_catch_signals(void) {
  static const u8 caught[] = {SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGUSR1, SIGSEGV, SIGUSR2, SIGPIPE,
                              SIGALRM, SIGTERM, SIGSTKFLT, SIGXCPU, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSYS};
  stack_t stack = {.ss_sp = (void *)(XC_PRIVATE + 0x100000), .ss_flags = 0, .ss_size = 0x20000};
  syscall(SYS_sigaltstack, &stack, 0);
  struct sigaction action;
  xc_zero(&action, sizeof action);
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (u32 i = 0; i < sizeof caught; i++) sigaction(caught[i], &action, 0);
  signal(SIGXFSZ, SIG_IGN); /* the limit of a file's size is ours */
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, 0);
}
