/* Each run in a process of its own, forked from one that has never run anything (`--isolation fork`).
 *
 * What uninstrumented libraries and the kernel remember (mappings of their own, the working directory, the mask of permissions) is as new for
 * each run, which no copying of data can promise. The child has the whole subject as it was prepared; it writes the outcome, rings and ends,
 * and while it ends its parent waits for the next command.
 *
 * Invariant. The parent never runs a line of the subject. A child that dies without a word takes its parent along, in the same way, so that the
 * engine sees what it sees without isolation. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "rt.h"

static _Noreturn void child(void (*run)(void), void (*ring)(void)) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  XC_P->isolated = XC_YES;
  run();
  if (XC_P->n_children) xc_end_children();
  if (XC_P->flags & XC_FLAG_OUTPUT) fflush(0);
  ring();
  syscall(SYS_exit_group, 0);
  __builtin_unreachable();
}

static _Noreturn void die_like(int status) {
  if (WIFSIGNALED(status)) {
    signal(WTERMSIG(status), SIG_DFL);
    syscall(SYS_kill, syscall(SYS_getpid), WTERMSIG(status));
  }
  syscall(SYS_exit_group, WIFEXITED(status) ? WEXITSTATUS(status) : 70);
  __builtin_unreachable();
}

void xc_isolated_run(void (*run)(void), void (*ring)(void)) {
  u32 bell = __atomic_load_n(&XC->bell_engine, __ATOMIC_SEQ_CST);
  int status = 0, process = _Fork();
  if (process == 0) child(run, ring);
  if (process < 0) die_like(0x4600); /* as a process that could not start */
  __atomic_store_n(&XC_P->runner, process, __ATOMIC_SEQ_CST);
  while (syscall(SYS_wait4, process, &status, 0, 0) < 0 && errno == EINTR) {}
  __atomic_store_n(&XC_P->runner, 0, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&XC->bell_engine, __ATOMIC_SEQ_CST) == bell) die_like(status);
}
